CREATE TABLE `client_retention` (
	`client_id` text PRIMARY KEY NOT NULL,
	`policy` text,
	`planned_by` text,
	`planned_after` text,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `erasures` (
	`client_id` text NOT NULL,
	`number` integer NOT NULL,
	`verification_id` text NOT NULL,
	`at` integer NOT NULL,
	`rule` text NOT NULL,
	`steps` integer NOT NULL,
	`files` integer NOT NULL,
	`events` integer NOT NULL,
	`hash` text NOT NULL,
	`finished_at` integer,
	PRIMARY KEY(`client_id`, `number`),
	CONSTRAINT "erasures_number_from_one" CHECK("erasures"."number" >= 1),
	CONSTRAINT "erasures_known_rule" CHECK("erasures"."rule" in ('requested', 'approved_after_end', 'approved_longest', 'rejected', 'unfinished', 'log')),
	CONSTRAINT "erasures_counts" CHECK(min("erasures"."steps", "erasures"."files", "erasures"."events") >= 0),
	CONSTRAINT "erasures_hash_length" CHECK(length("erasures"."hash") = 64)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `erasures_number` ON `erasures` (`number`);--> statement-breakpoint
CREATE TABLE `retention_runs` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_run_at` integer NOT NULL,
	`paused_until` integer,
	CONSTRAINT "retention_runs_one_row" CHECK("retention_runs"."id" = 1)
);
--> statement-breakpoint
CREATE INDEX `verifications_retained` ON `verifications` (`client_id`,`id`) WHERE "verifications"."resolved_at" is not null and "verifications"."erased_at" is null;
