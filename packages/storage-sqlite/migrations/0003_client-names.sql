ALTER TABLE `clients` ADD `name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
-- A function of the server (migrations.ts): SQLite itself knows case in ASCII only.
UPDATE `clients` SET `name_key` = client_name_key(`name`);--> statement-breakpoint
CREATE INDEX `clients_by_name` ON `clients` (`name_key`,`id`);
