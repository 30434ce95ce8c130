-- Each client that was a sandbox becomes the test twin of a new client without a subscription. Its keys, verifications and webhooks stay.
-- Ids are random UUIDs (version 4).
UPDATE `clients` SET `test_of` = lower(hex(randomblob(4))) || '-' || lower(hex(randomblob(2))) || '-4' || substr(lower(hex(randomblob(2))), 2)
	|| '-' || substr('89ab', 1 + (abs(random()) % 4), 1) || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))
	WHERE `sandbox` = 1 AND `test_of` IS NULL AND `id` NOT IN (SELECT `test_of` FROM `clients` WHERE `test_of` IS NOT NULL);
--> statement-breakpoint
INSERT INTO `clients` (`id`, `name`, `created_at`, `sandbox`, `name_key`, `return_addresses`, `file_access`)
	SELECT `test_of`, `name`, `created_at`, 0, `name_key`, '[]', `file_access` FROM `clients` AS `twins`
	WHERE `test_of` IS NOT NULL AND `test_of` NOT IN (SELECT `id` FROM `clients`);
--> statement-breakpoint
-- The policy of retention is that of the client.
INSERT INTO `client_retention` (`client_id`, `policy`)
	SELECT `clients`.`test_of`, `client_retention`.`policy` FROM `client_retention` JOIN `clients` ON `clients`.`id` = `client_retention`.`client_id`
	WHERE `clients`.`test_of` IS NOT NULL AND `client_retention`.`policy` IS NOT NULL
	ON CONFLICT (`client_id`) DO NOTHING;
