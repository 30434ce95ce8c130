CREATE TABLE `uncleared_erasures` (
	`number` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `uncleared_erasures` (`number`, `at`) SELECT `number`, `at` FROM `erasures`;
