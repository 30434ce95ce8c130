DROP INDEX "verifications_subjects";--> statement-breakpoint
CREATE INDEX "verifications_subjects" ON "verifications" USING btree ("client_id","subject_reference","requested_at","id","status","type");