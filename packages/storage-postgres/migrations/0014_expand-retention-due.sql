-- A migration of its own: the one before holds a lock that would stop readers while rows are read.
ALTER TABLE "verifications" VALIDATE CONSTRAINT "verifications_relationship_of_approved";--> statement-breakpoint
ALTER TABLE "verifications" VALIDATE CONSTRAINT "verifications_hold_whole";--> statement-breakpoint
ALTER TABLE "verifications" VALIDATE CONSTRAINT "verifications_held_or_erased";--> statement-breakpoint
ALTER TABLE "verifications" VALIDATE CONSTRAINT "verifications_erased_when_decided";--> statement-breakpoint
ALTER TABLE "verifications" VALIDATE CONSTRAINT "verifications_erased_emptied";--> statement-breakpoint
CREATE INDEX "verifications_retention_due" ON "verifications" USING btree ("retention_check_at","id") WHERE "verifications"."retention_check_at" is not null;
