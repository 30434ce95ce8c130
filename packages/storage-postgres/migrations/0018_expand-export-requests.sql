CREATE TABLE "export_requests" (
	"client_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"verification_id" uuid NOT NULL,
	"requested_at" timestamp(3) with time zone NOT NULL,
	"requested_by" text NOT NULL,
	"released_at" timestamp(3) with time zone,
	"released_by" text,
	"code_hash" text,
	"link_version" integer NOT NULL,
	"expires_at" timestamp(3) with time zone,
	"wrong_codes" smallint NOT NULL,
	"downloaded_at" timestamp(3) with time zone,
	CONSTRAINT "export_requests_pk" PRIMARY KEY("client_id","id"),
	CONSTRAINT "export_requests_known_requester" CHECK ("export_requests"."requested_by" in ('subject', 'team_member', 'operator')),
	CONSTRAINT "export_requests_release_whole" CHECK (("export_requests"."released_at" is null) = ("export_requests"."code_hash" is null) and ("export_requests"."released_at" is null) = ("export_requests"."expires_at" is null)
        and ("export_requests"."released_at" is null) = ("export_requests"."link_version" = 0)
        and ("export_requests"."released_at" is not null or ("export_requests"."released_by" is null and "export_requests"."downloaded_at" is null and "export_requests"."wrong_codes" = 0))),
	CONSTRAINT "export_requests_wrong_codes_in_range" CHECK ("export_requests"."wrong_codes" between 0 and 5)
);
--> statement-breakpoint
ALTER TABLE "export_requests" ADD CONSTRAINT "export_requests_known_verification" FOREIGN KEY ("client_id","verification_id") REFERENCES "public"."verifications"("client_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "export_requests_verification" ON "export_requests" USING btree ("client_id","verification_id");--> statement-breakpoint
CREATE INDEX "export_requests_id" ON "export_requests" USING btree ("id");--> statement-breakpoint
CREATE INDEX "export_requests_expiry" ON "export_requests" USING btree ("expires_at") WHERE "export_requests"."expires_at" is not null;