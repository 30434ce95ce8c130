CREATE TABLE `index_entries` (
	`client_id` text NOT NULL,
	`purpose` text NOT NULL,
	`label` text NOT NULL,
	`verification_id` text NOT NULL,
	PRIMARY KEY(`client_id`, `purpose`, `label`, `verification_id`),
	CONSTRAINT "index_entries_known_purpose" CHECK("index_entries"."purpose" in ('document_number', 'national_id', 'person', 'file', 'email', 'phone', 'family_name'))
);
--> statement-breakpoint
CREATE INDEX `index_entries_verification` ON `index_entries` (`client_id`,`verification_id`);--> statement-breakpoint
CREATE TABLE `index_keys` (
	`client_id` text NOT NULL,
	`version` integer NOT NULL,
	`value` text NOT NULL,
	`wrapped_by` text,
	PRIMARY KEY(`client_id`, `version`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `indexed_verifications` (
	`client_id` text NOT NULL,
	`verification_id` text NOT NULL,
	`key_version` integer NOT NULL,
	`rules_version` integer NOT NULL,
	PRIMARY KEY(`client_id`, `verification_id`),
	FOREIGN KEY (`verification_id`) REFERENCES `verifications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`client_id`,`key_version`) REFERENCES `index_keys`(`client_id`,`version`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
-- drizzle-kit knows no triggers: the rest is written by hand.
-- A server of an earlier version, which knows no labels, erases them too.
CREATE TRIGGER `verifications_erased_labels` AFTER UPDATE OF `erasure_number` ON `verifications`
WHEN OLD.`erasure_number` IS NULL AND NEW.`erasure_number` IS NOT NULL
BEGIN
	DELETE FROM `index_entries` WHERE `client_id` = NEW.`client_id` AND `verification_id` = NEW.`id`;
	DELETE FROM `indexed_verifications` WHERE `client_id` = NEW.`client_id` AND `verification_id` = NEW.`id`;
END;
