-- Written by hand: drizzle-kit makes a CHECK by making the table anew, which removes the rows that events refer to.
ALTER TABLE `verifications` ADD `submitted_at` integer;--> statement-breakpoint
ALTER TABLE `verifications` ADD `claimed_by` text;--> statement-breakpoint
ALTER TABLE `verifications` ADD `claimed_at` integer;--> statement-breakpoint
ALTER TABLE `verifications` ADD `data_key_wrapped_by` text;--> statement-breakpoint
ALTER TABLE `verifications` ADD `data_key` text;--> statement-breakpoint
ALTER TABLE `verifications` ADD CONSTRAINT "verifications_pending_unsubmitted" CHECK("verifications"."submitted_at" is null or "verifications"."status" <> 'pending');--> statement-breakpoint
ALTER TABLE `verifications` ADD CONSTRAINT "verifications_claim_whole" CHECK(("verifications"."claimed_by" is null) = ("verifications"."claimed_at" is null));--> statement-breakpoint
ALTER TABLE `verifications` ADD CONSTRAINT "verifications_claimed_when_submitted" CHECK("verifications"."claimed_by" is null or "verifications"."status" = 'submitted');--> statement-breakpoint
ALTER TABLE `verifications` ADD CONSTRAINT "verifications_data_key_whole" CHECK(("verifications"."data_key" is null) = ("verifications"."data_key_wrapped_by" is null));--> statement-breakpoint
-- What is submitted says itself when it was; what was submitted before has an event that does.
UPDATE `verifications` SET `submitted_at` = coalesce(
	CASE WHEN json_valid(`dossier`) THEN cast(round(unixepoch(json_extract(`dossier`, '$.submittedAt'), 'subsec') * 1000) as integer) END,
	(SELECT max(`at`) FROM `verification_events` WHERE `verification_id` = `verifications`.`id` AND `verification_events`.`type` = 'verification.submitted')
) WHERE `status` <> 'pending';--> statement-breakpoint
CREATE INDEX `verifications_queue` ON `verifications` (`status`,`submitted_at`,`id`,`client_id`,`type`,`claimed_by`) WHERE "verifications"."status" <> 'pending';
