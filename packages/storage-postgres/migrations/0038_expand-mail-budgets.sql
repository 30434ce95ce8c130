CREATE TABLE "mail_budgets" (
	"name" text NOT NULL,
	"used" integer NOT NULL,
	"allowed" integer NOT NULL,
	"ends_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "mail_budgets_pk" PRIMARY KEY("name"),
	CONSTRAINT "mail_budgets_within" CHECK ("mail_budgets"."used" between 0 and "mail_budgets"."allowed")
);
--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "held_until" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "mail_budgets_ends" ON "mail_budgets" USING btree ("ends_at");