CREATE TABLE `verification_counts` (
	`client_id` text NOT NULL,
	`day` integer NOT NULL,
	`type` text NOT NULL,
	`pending` integer DEFAULT 0 NOT NULL,
	`submitted` integer DEFAULT 0 NOT NULL,
	`action_needed` integer DEFAULT 0 NOT NULL,
	`approved` integer DEFAULT 0 NOT NULL,
	`rejected` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`client_id`, `day`, `type`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "verification_counts_known_type" CHECK("verification_counts"."type" in ('kyc', 'kyb'))
);
--> statement-breakpoint
-- drizzle-kit knows no triggers: the rest is written by hand.
-- Days before 1970 are negative. SQLite's division rounds towards zero, so they are one less.
CREATE TRIGGER `verification_counts_insert` AFTER INSERT ON `verifications`
BEGIN
	INSERT INTO `verification_counts` (`client_id`, `day`, `type`, `pending`, `submitted`, `action_needed`, `approved`, `rejected`)
	VALUES (NEW.`client_id`, NEW.`requested_at` / 86400000 - (NEW.`requested_at` % 86400000 < 0), NEW.`type`,
		NEW.`status` = 'pending', NEW.`status` = 'submitted', NEW.`status` = 'action_needed', NEW.`status` = 'approved', NEW.`status` = 'rejected')
	ON CONFLICT (`client_id`, `day`, `type`) DO UPDATE SET
		`pending` = `pending` + excluded.`pending`,
		`submitted` = `submitted` + excluded.`submitted`,
		`action_needed` = `action_needed` + excluded.`action_needed`,
		`approved` = `approved` + excluded.`approved`,
		`rejected` = `rejected` + excluded.`rejected`;
END;--> statement-breakpoint
CREATE TRIGGER `verification_counts_status` AFTER UPDATE OF `status` ON `verifications`
WHEN OLD.`status` <> NEW.`status`
	AND OLD.`client_id` = NEW.`client_id` AND OLD.`type` = NEW.`type` AND OLD.`requested_at` = NEW.`requested_at`
BEGIN
	UPDATE `verification_counts` SET
		`pending` = `pending` + (NEW.`status` = 'pending') - (OLD.`status` = 'pending'),
		`submitted` = `submitted` + (NEW.`status` = 'submitted') - (OLD.`status` = 'submitted'),
		`action_needed` = `action_needed` + (NEW.`status` = 'action_needed') - (OLD.`status` = 'action_needed'),
		`approved` = `approved` + (NEW.`status` = 'approved') - (OLD.`status` = 'approved'),
		`rejected` = `rejected` + (NEW.`status` = 'rejected') - (OLD.`status` = 'rejected')
	WHERE `client_id` = NEW.`client_id` AND `type` = NEW.`type`
		AND `day` = NEW.`requested_at` / 86400000 - (NEW.`requested_at` % 86400000 < 0);
END;--> statement-breakpoint
-- No operation of a server changes these columns, but a statement of an operator may.
CREATE TRIGGER `verification_counts_key` AFTER UPDATE OF `client_id`, `type`, `requested_at` ON `verifications`
WHEN NOT (OLD.`client_id` = NEW.`client_id` AND OLD.`type` = NEW.`type` AND OLD.`requested_at` = NEW.`requested_at`)
BEGIN
	UPDATE `verification_counts` SET
		`pending` = `pending` - (OLD.`status` = 'pending'),
		`submitted` = `submitted` - (OLD.`status` = 'submitted'),
		`action_needed` = `action_needed` - (OLD.`status` = 'action_needed'),
		`approved` = `approved` - (OLD.`status` = 'approved'),
		`rejected` = `rejected` - (OLD.`status` = 'rejected')
	WHERE `client_id` = OLD.`client_id` AND `type` = OLD.`type`
		AND `day` = OLD.`requested_at` / 86400000 - (OLD.`requested_at` % 86400000 < 0);
	INSERT INTO `verification_counts` (`client_id`, `day`, `type`, `pending`, `submitted`, `action_needed`, `approved`, `rejected`)
	VALUES (NEW.`client_id`, NEW.`requested_at` / 86400000 - (NEW.`requested_at` % 86400000 < 0), NEW.`type`,
		NEW.`status` = 'pending', NEW.`status` = 'submitted', NEW.`status` = 'action_needed', NEW.`status` = 'approved', NEW.`status` = 'rejected')
	ON CONFLICT (`client_id`, `day`, `type`) DO UPDATE SET
		`pending` = `pending` + excluded.`pending`,
		`submitted` = `submitted` + excluded.`submitted`,
		`action_needed` = `action_needed` + excluded.`action_needed`,
		`approved` = `approved` + excluded.`approved`,
		`rejected` = `rejected` + excluded.`rejected`;
END;--> statement-breakpoint
CREATE TRIGGER `verification_counts_delete` AFTER DELETE ON `verifications`
BEGIN
	UPDATE `verification_counts` SET
		`pending` = `pending` - (OLD.`status` = 'pending'),
		`submitted` = `submitted` - (OLD.`status` = 'submitted'),
		`action_needed` = `action_needed` - (OLD.`status` = 'action_needed'),
		`approved` = `approved` - (OLD.`status` = 'approved'),
		`rejected` = `rejected` - (OLD.`status` = 'rejected')
	WHERE `client_id` = OLD.`client_id` AND `type` = OLD.`type`
		AND `day` = OLD.`requested_at` / 86400000 - (OLD.`requested_at` % 86400000 < 0);
END;--> statement-breakpoint
-- The verifications that exist.
INSERT INTO `verification_counts` (`client_id`, `day`, `type`, `pending`, `submitted`, `action_needed`, `approved`, `rejected`)
SELECT `client_id`, `requested_at` / 86400000 - (`requested_at` % 86400000 < 0) AS `requested_day`, `type`,
	sum(`status` = 'pending'),
	sum(`status` = 'submitted'),
	sum(`status` = 'action_needed'),
	sum(`status` = 'approved'),
	sum(`status` = 'rejected')
FROM `verifications` GROUP BY `client_id`, `requested_day`, `type`;
