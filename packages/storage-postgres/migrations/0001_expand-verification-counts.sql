CREATE TABLE "verification_counts" (
	"client_id" uuid NOT NULL,
	"day" integer NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"pending" integer DEFAULT 0 NOT NULL,
	"submitted" integer DEFAULT 0 NOT NULL,
	"action_needed" integer DEFAULT 0 NOT NULL,
	"approved" integer DEFAULT 0 NOT NULL,
	"rejected" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "verification_counts_pk" PRIMARY KEY("client_id","day","type"),
	CONSTRAINT "verification_counts_known_type" CHECK ("verification_counts"."type" in ('kyc', 'kyb'))
);
--> statement-breakpoint
ALTER TABLE "verification_counts" ADD CONSTRAINT "verification_counts_client" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- drizzle-kit knows no triggers: the rest is written by hand.
-- Triggers for statements count many rows at once, and lock the counts in the order of their key.
CREATE FUNCTION "count_inserted_verifications"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "verification_counts" AS "kept" ("client_id", "day", "type", "pending", "submitted", "action_needed", "approved", "rejected")
	SELECT "client_id", ("requested_at" AT TIME ZONE 'UTC')::date - date '1970-01-01' AS "requested_day", "type",
		count(*) FILTER (WHERE "status" = 'pending'),
		count(*) FILTER (WHERE "status" = 'submitted'),
		count(*) FILTER (WHERE "status" = 'action_needed'),
		count(*) FILTER (WHERE "status" = 'approved'),
		count(*) FILTER (WHERE "status" = 'rejected')
	FROM "inserted" GROUP BY "client_id", "requested_day", "type"
	ORDER BY "client_id", "requested_day", "type"
	ON CONFLICT ("client_id", "day", "type") DO UPDATE SET
		"pending" = "kept"."pending" + excluded."pending",
		"submitted" = "kept"."submitted" + excluded."submitted",
		"action_needed" = "kept"."action_needed" + excluded."action_needed",
		"approved" = "kept"."approved" + excluded."approved",
		"rejected" = "kept"."rejected" + excluded."rejected";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "count_deleted_verifications"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "verification_counts" AS "kept" ("client_id", "day", "type", "pending", "submitted", "action_needed", "approved", "rejected")
	SELECT "client_id", ("requested_at" AT TIME ZONE 'UTC')::date - date '1970-01-01' AS "requested_day", "type",
		-count(*) FILTER (WHERE "status" = 'pending'),
		-count(*) FILTER (WHERE "status" = 'submitted'),
		-count(*) FILTER (WHERE "status" = 'action_needed'),
		-count(*) FILTER (WHERE "status" = 'approved'),
		-count(*) FILTER (WHERE "status" = 'rejected')
	FROM "deleted" GROUP BY "client_id", "requested_day", "type"
	ORDER BY "client_id", "requested_day", "type"
	ON CONFLICT ("client_id", "day", "type") DO UPDATE SET
		"pending" = "kept"."pending" + excluded."pending",
		"submitted" = "kept"."submitted" + excluded."submitted",
		"action_needed" = "kept"."action_needed" + excluded."action_needed",
		"approved" = "kept"."approved" + excluded."approved",
		"rejected" = "kept"."rejected" + excluded."rejected";
	RETURN NULL;
END
$$;--> statement-breakpoint
-- A trigger for rows has a condition, so that an update that keeps the status costs nothing.
CREATE FUNCTION "count_changed_verification"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD."client_id" = NEW."client_id" AND OLD."type" = NEW."type" AND OLD."requested_at" = NEW."requested_at" THEN
		UPDATE "verification_counts" SET
			"pending" = "pending" + (NEW."status" = 'pending')::integer - (OLD."status" = 'pending')::integer,
			"submitted" = "submitted" + (NEW."status" = 'submitted')::integer - (OLD."status" = 'submitted')::integer,
			"action_needed" = "action_needed" + (NEW."status" = 'action_needed')::integer - (OLD."status" = 'action_needed')::integer,
			"approved" = "approved" + (NEW."status" = 'approved')::integer - (OLD."status" = 'approved')::integer,
			"rejected" = "rejected" + (NEW."status" = 'rejected')::integer - (OLD."status" = 'rejected')::integer
		WHERE "client_id" = NEW."client_id" AND "type" = NEW."type"
			AND "day" = (NEW."requested_at" AT TIME ZONE 'UTC')::date - date '1970-01-01';
		RETURN NULL;
	END IF;
	-- No operation of a server changes these columns, but a statement of an operator may.
	UPDATE "verification_counts" SET
		"pending" = "pending" - (OLD."status" = 'pending')::integer,
		"submitted" = "submitted" - (OLD."status" = 'submitted')::integer,
		"action_needed" = "action_needed" - (OLD."status" = 'action_needed')::integer,
		"approved" = "approved" - (OLD."status" = 'approved')::integer,
		"rejected" = "rejected" - (OLD."status" = 'rejected')::integer
	WHERE "client_id" = OLD."client_id" AND "type" = OLD."type"
		AND "day" = (OLD."requested_at" AT TIME ZONE 'UTC')::date - date '1970-01-01';
	INSERT INTO "verification_counts" AS "kept" ("client_id", "day", "type", "pending", "submitted", "action_needed", "approved", "rejected")
	VALUES (NEW."client_id", (NEW."requested_at" AT TIME ZONE 'UTC')::date - date '1970-01-01', NEW."type",
		(NEW."status" = 'pending')::integer, (NEW."status" = 'submitted')::integer, (NEW."status" = 'action_needed')::integer, (NEW."status" = 'approved')::integer, (NEW."status" = 'rejected')::integer)
	ON CONFLICT ("client_id", "day", "type") DO UPDATE SET
		"pending" = "kept"."pending" + excluded."pending",
		"submitted" = "kept"."submitted" + excluded."submitted",
		"action_needed" = "kept"."action_needed" + excluded."action_needed",
		"approved" = "kept"."approved" + excluded."approved",
		"rejected" = "kept"."rejected" + excluded."rejected";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "forget_verification_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "verification_counts";
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Locks the counts first: a transaction that changed them has ended then, and its verifications are counted, while a later one adds
-- its change to the result.
CREATE FUNCTION "mend_verification_counts"("of_client" uuid, "of_day" integer, "of_type" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "verification_counts" AS "kept" ("client_id", "day", "type") VALUES ("of_client", "of_day", "of_type")
	ON CONFLICT ("client_id", "day", "type") DO UPDATE SET "pending" = "kept"."pending";
	UPDATE "verification_counts" SET ("pending", "submitted", "action_needed", "approved", "rejected") = (
		SELECT count(*) FILTER (WHERE "status" = 'pending'),
			count(*) FILTER (WHERE "status" = 'submitted'),
			count(*) FILTER (WHERE "status" = 'action_needed'),
			count(*) FILTER (WHERE "status" = 'approved'),
			count(*) FILTER (WHERE "status" = 'rejected')
		FROM "verifications" WHERE "client_id" = "of_client" AND "type" = "of_type"
			AND "requested_at" >= to_timestamp("of_day"::bigint * 86400)
			AND "requested_at" < to_timestamp(("of_day"::bigint + 1) * 86400)
	) WHERE "client_id" = "of_client" AND "day" = "of_day" AND "type" = "of_type";
END
$$;--> statement-breakpoint
-- From here on, other transactions wait with their changes of verifications until this one ends.
CREATE TRIGGER "verification_counts_insert" AFTER INSERT ON "verifications" REFERENCING NEW TABLE AS "inserted"
	FOR EACH STATEMENT EXECUTE FUNCTION "count_inserted_verifications"();--> statement-breakpoint
CREATE TRIGGER "verification_counts_delete" AFTER DELETE ON "verifications" REFERENCING OLD TABLE AS "deleted"
	FOR EACH STATEMENT EXECUTE FUNCTION "count_deleted_verifications"();--> statement-breakpoint
CREATE TRIGGER "verification_counts_update" AFTER UPDATE OF "status", "client_id", "type", "requested_at" ON "verifications"
	FOR EACH ROW WHEN (OLD."status" <> NEW."status" OR NOT (OLD."client_id" = NEW."client_id" AND OLD."type" = NEW."type" AND OLD."requested_at" = NEW."requested_at"))
	EXECUTE FUNCTION "count_changed_verification"();--> statement-breakpoint
CREATE TRIGGER "verification_counts_truncate" AFTER TRUNCATE ON "verifications"
	FOR EACH STATEMENT EXECUTE FUNCTION "forget_verification_counts"();--> statement-breakpoint
-- The verifications that exist.
INSERT INTO "verification_counts" ("client_id", "day", "type", "pending", "submitted", "action_needed", "approved", "rejected")
SELECT "client_id", ("requested_at" AT TIME ZONE 'UTC')::date - date '1970-01-01' AS "requested_day", "type",
	count(*) FILTER (WHERE "status" = 'pending'),
	count(*) FILTER (WHERE "status" = 'submitted'),
	count(*) FILTER (WHERE "status" = 'action_needed'),
	count(*) FILTER (WHERE "status" = 'approved'),
	count(*) FILTER (WHERE "status" = 'rejected')
FROM "verifications" GROUP BY "client_id", "requested_day", "type";
