ALTER TABLE "verifications" ADD COLUMN "relationship_ended_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "held_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "held_by" text;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "held_until" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "erasure_requested_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "erased_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "erasure_number" integer;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "retention_check_at" timestamp(3) with time zone;--> statement-breakpoint
-- NOT VALID: no row is read while the table is locked. The next migration validates them.
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_relationship_of_approved" CHECK ("verifications"."relationship_ended_at" is null or "verifications"."status" = 'approved') NOT VALID;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_hold_whole" CHECK ("verifications"."held_at" is not null or ("verifications"."held_by" is null and "verifications"."held_until" is null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_held_or_erased" CHECK ("verifications"."held_at" is null or "verifications"."erased_at" is null) NOT VALID;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_erased_when_decided" CHECK ("verifications"."resolved_at" is not null or ("verifications"."erasure_requested_at" is null and "verifications"."erased_at" is null and "verifications"."retention_check_at" is null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_erased_emptied" CHECK ("verifications"."erasure_number" is null or ("verifications"."erased_at" is not null and "verifications"."subject_reference" = 'erased:' || "verifications"."id" and "verifications"."idempotency_key" is null and "verifications"."metadata" = '{}' and "verifications"."answers" = '{}' and "verifications"."review_data" = '{}' and "verifications"."data_key" is null and "verifications"."sandbox_outcome" is null and "verifications"."return_url" is null and "verifications"."locale" is null)) NOT VALID;
