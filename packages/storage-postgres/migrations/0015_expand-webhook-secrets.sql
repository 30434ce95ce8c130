ALTER TABLE "webhook_endpoints" ADD COLUMN "secret_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "older_secret" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "older_secret_wrapped_by" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "older_secret_valid_until" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_older_secret_whole" CHECK (("webhook_endpoints"."older_secret" is null) = ("webhook_endpoints"."older_secret_valid_until" is null)
        and ("webhook_endpoints"."older_secret" is not null or "webhook_endpoints"."older_secret_wrapped_by" is null));