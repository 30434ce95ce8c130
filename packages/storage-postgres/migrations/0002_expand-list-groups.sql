DROP INDEX "verifications_listing";--> statement-breakpoint
DROP INDEX "verifications_subject";--> statement-breakpoint
CREATE INDEX "verifications_groups" ON "verifications" USING btree ("client_id","status","type","requested_at","id");--> statement-breakpoint
CREATE INDEX "verifications_resolved" ON "verifications" USING btree ("client_id","status","type","resolved_at","requested_at","id") WHERE "verifications"."resolved_at" is not null;--> statement-breakpoint
CREATE INDEX "verifications_subjects" ON "verifications" USING btree ("client_id","subject_reference","requested_at","id");