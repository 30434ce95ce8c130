CREATE TABLE "mails" (
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"client_id" uuid,
	"verification_id" uuid,
	"user_id" text,
	"target_id" text,
	"planned_at" timestamp(3) with time zone NOT NULL,
	"due_at" timestamp(3) with time zone NOT NULL,
	"attempts" integer NOT NULL,
	"lease_token" text,
	"leased_until" timestamp(3) with time zone,
	CONSTRAINT "mails_pk" PRIMARY KEY("id")
);
--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("due_at","id");