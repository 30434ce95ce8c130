ALTER TABLE "verifications" ADD COLUMN "submitted_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "claimed_by" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "claimed_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "data_key_wrapped_by" text;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "data_key" text;--> statement-breakpoint
-- Written by hand: what is submitted says itself when it was; what was submitted before has an event that does.
UPDATE "verifications" SET "submitted_at" = coalesce(
	CASE WHEN "dossier"->>'submittedAt' ~ '^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$' THEN ("dossier"->>'submittedAt')::timestamp with time zone END,
	(SELECT max("at") FROM "verification_events" WHERE "verification_events"."client_id" = "verifications"."client_id" AND "verification_id" = "verifications"."id" AND "verification_events"."type" = 'verification.submitted')
) WHERE "status" <> 'pending';--> statement-breakpoint
CREATE INDEX "verifications_queue" ON "verifications" USING btree ("status","submitted_at","id","client_id","type","claimed_by") WHERE "verifications"."status" <> 'pending';--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_pending_unsubmitted" CHECK ("verifications"."submitted_at" is null or "verifications"."status" <> 'pending');--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_claim_whole" CHECK (("verifications"."claimed_by" is null) = ("verifications"."claimed_at" is null));--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_claimed_when_submitted" CHECK ("verifications"."claimed_by" is null or "verifications"."status" = 'submitted');--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_data_key_whole" CHECK (("verifications"."data_key" is null) = ("verifications"."data_key_wrapped_by" is null));
