ALTER TABLE `clients` ADD `return_addresses` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `verifications` ADD `return_url` text;--> statement-breakpoint
ALTER TABLE `verifications` ADD `locale` text;