CREATE TABLE "index_entries" (
	"client_id" uuid NOT NULL,
	"purpose" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"verification_id" uuid NOT NULL,
	CONSTRAINT "index_entries_pk" PRIMARY KEY("client_id","purpose","label","verification_id"),
	CONSTRAINT "index_entries_known_purpose" CHECK ("index_entries"."purpose" in ('document_number', 'national_id', 'person', 'file', 'email', 'phone', 'family_name'))
);
--> statement-breakpoint
CREATE TABLE "index_keys" (
	"client_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"value" text NOT NULL,
	"wrapped_by" text,
	CONSTRAINT "index_keys_pk" PRIMARY KEY("client_id","version")
);
--> statement-breakpoint
CREATE TABLE "indexed_verifications" (
	"client_id" uuid NOT NULL,
	"verification_id" uuid NOT NULL,
	"key_version" integer NOT NULL,
	"rules_version" integer NOT NULL,
	CONSTRAINT "indexed_verifications_pk" PRIMARY KEY("client_id","verification_id")
);
--> statement-breakpoint
ALTER TABLE "index_keys" ADD CONSTRAINT "index_keys_client" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "indexed_verifications" ADD CONSTRAINT "indexed_verifications_known_verification" FOREIGN KEY ("client_id","verification_id") REFERENCES "public"."verifications"("client_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "indexed_verifications" ADD CONSTRAINT "indexed_verifications_known_key" FOREIGN KEY ("client_id","key_version") REFERENCES "public"."index_keys"("client_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "index_entries_verification" ON "index_entries" USING btree ("client_id","verification_id");--> statement-breakpoint
-- drizzle-kit knows no triggers: the rest is written by hand.
-- A server of an earlier version, which knows no labels, erases them too.
CREATE FUNCTION "remove_erased_labels"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "index_entries" WHERE "client_id" = NEW."client_id" AND "verification_id" = NEW."id";
	DELETE FROM "indexed_verifications" WHERE "client_id" = NEW."client_id" AND "verification_id" = NEW."id";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "verifications_erased_labels" AFTER UPDATE OF "erasure_number" ON "verifications"
FOR EACH ROW WHEN (OLD."erasure_number" IS NULL AND NEW."erasure_number" IS NOT NULL) EXECUTE FUNCTION "remove_erased_labels"();
