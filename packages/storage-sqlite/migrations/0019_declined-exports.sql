ALTER TABLE `export_requests` ADD `downloads` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `export_requests` ADD `declined_at` integer;--> statement-breakpoint
ALTER TABLE `export_requests` ADD `decline_reason` text;--> statement-breakpoint
CREATE INDEX `export_requests_declined` ON `export_requests` (`declined_at`) WHERE "export_requests"."declined_at" is not null;