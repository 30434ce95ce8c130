-- A migration of its own: the one before holds a lock that would stop readers while rows are read.
UPDATE "verifications" SET "is_resubmitted" = true
WHERE "status" = 'submitted' AND EXISTS (
	SELECT 1 FROM "verification_events"
	WHERE "verification_events"."client_id" = "verifications"."client_id"
		AND "verification_events"."verification_id" = "verifications"."id"
		AND "verification_events"."type" = 'verification.action_requested'
);--> statement-breakpoint
CREATE INDEX "verifications_resubmitted" ON "verifications" USING btree ("submitted_at","id") WHERE "verifications"."status" = 'submitted' and "verifications"."is_resubmitted";
