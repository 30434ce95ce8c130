CREATE TABLE "hand_over_codes" (
	"client_id" uuid NOT NULL,
	"verification_id" uuid NOT NULL,
	"link_version" integer NOT NULL,
	"code_hash" text NOT NULL,
	"issued_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"spent_at" timestamp(3) with time zone,
	"counted_from" timestamp(3) with time zone NOT NULL,
	"issued" smallint NOT NULL,
	CONSTRAINT "hand_over_codes_pk" PRIMARY KEY("client_id","verification_id"),
	CONSTRAINT "hand_over_codes_issued_in_range" CHECK ("hand_over_codes"."issued" between 1 and 5),
	CONSTRAINT "hand_over_codes_expires_later" CHECK ("hand_over_codes"."issued_at" < "hand_over_codes"."expires_at")
);
--> statement-breakpoint
ALTER TABLE "hand_over_codes" ADD CONSTRAINT "hand_over_codes_known_verification" FOREIGN KEY ("client_id","verification_id") REFERENCES "public"."verifications"("client_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "hand_over_codes_issued_at" ON "hand_over_codes" USING btree ("issued_at");