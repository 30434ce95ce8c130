ALTER TABLE "verifications" ADD COLUMN "warnings" jsonb;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "severity" text;--> statement-breakpoint
CREATE INDEX "verifications_warned" ON "verifications" USING btree ("submitted_at","id") WHERE "verifications"."status" = 'submitted' and "verifications"."severity" in ('warning', 'critical');--> statement-breakpoint
-- NOT VALID: no row is read while the table is locked. The next migration validates them.
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_known_severity" CHECK ("verifications"."severity" in ('info', 'warning', 'critical')) NOT VALID;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_severe_when_warned" CHECK ("verifications"."severity" is null or "verifications"."warnings" is not null) NOT VALID;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_erased_unwarned" CHECK ("verifications"."erasure_number" is null or "verifications"."warnings" is null) NOT VALID;