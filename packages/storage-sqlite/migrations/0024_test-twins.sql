ALTER TABLE `clients` ADD `test_of` text;--> statement-breakpoint
CREATE UNIQUE INDEX `clients_test_of` ON `clients` (`test_of`);