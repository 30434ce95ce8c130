ALTER TABLE "verifications" ADD COLUMN "notify" jsonb;--> statement-breakpoint
-- NOT VALID: no row is read while the table is locked. The next migration validates it.
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_erased_unnotified" CHECK ("verifications"."erasure_number" is null or "verifications"."notify" is null) NOT VALID;