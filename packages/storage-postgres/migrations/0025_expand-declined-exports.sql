ALTER TABLE "export_requests" ADD COLUMN "downloads" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "export_requests" ADD COLUMN "declined_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "export_requests" ADD COLUMN "decline_reason" text;