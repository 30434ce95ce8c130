-- drizzle-kit knows no triggers: written by hand.
-- A server of an earlier version, which knows no warnings, readings and hand-over codes, erases them too. Before the update: a constraint
-- refuses an erased verification with warnings.
CREATE FUNCTION "remove_erased_warnings"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."warnings" := NULL;
	NEW."severity" := NULL;
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER "verifications_erased_warnings" BEFORE UPDATE OF "erasure_number" ON "verifications"
FOR EACH ROW WHEN (OLD."erasure_number" IS NULL AND NEW."erasure_number" IS NOT NULL) EXECUTE FUNCTION "remove_erased_warnings"();--> statement-breakpoint
CREATE FUNCTION "remove_erased_readings"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "readings" WHERE "client_id" = NEW."client_id" AND "verification_id" = NEW."id";
	DELETE FROM "hand_over_codes" WHERE "client_id" = NEW."client_id" AND "verification_id" = NEW."id";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "verifications_erased_readings" AFTER UPDATE OF "erasure_number" ON "verifications"
FOR EACH ROW WHEN (OLD."erasure_number" IS NULL AND NEW."erasure_number" IS NOT NULL) EXECUTE FUNCTION "remove_erased_readings"();
