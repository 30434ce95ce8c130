CREATE TABLE `readings` (
	`client_id` text NOT NULL,
	`verification_id` text NOT NULL,
	`file_id` text NOT NULL,
	`reader_version` text NOT NULL,
	`read_at` integer NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`client_id`, `verification_id`, `file_id`),
	FOREIGN KEY (`verification_id`) REFERENCES `verifications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `clients` ADD `reading_is_advice` integer DEFAULT 0 NOT NULL;