-- WITHOUT ROWID, which drizzle does not know: one tree less to write for each mail.
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`client_id` text,
	`verification_id` text,
	`user_id` text,
	`target_id` text,
	`planned_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`lease_token` text,
	`leased_until` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`due_at`,`id`);--> statement-breakpoint
ALTER TABLE `verifications` ADD `notify` text
	CONSTRAINT "verifications_erased_unnotified" CHECK("verifications"."erasure_number" is null or "verifications"."notify" is null);
