CREATE TABLE `mail_budgets` (
	`name` text PRIMARY KEY NOT NULL,
	`used` integer NOT NULL,
	`allowed` integer NOT NULL,
	`ends_at` integer NOT NULL,
	CONSTRAINT "mail_budgets_within" CHECK("mail_budgets"."used" between 0 and "mail_budgets"."allowed")
);
--> statement-breakpoint
CREATE INDEX `mail_budgets_ends` ON `mail_budgets` (`ends_at`);--> statement-breakpoint
ALTER TABLE `mails` ADD `held_until` integer;