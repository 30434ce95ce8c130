ALTER TABLE `verifications` ADD `is_resubmitted` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `verifications` SET `is_resubmitted` = 1
WHERE `status` = 'submitted' AND EXISTS (
	SELECT 1 FROM `verification_events`
	WHERE `verification_events`.`verification_id` = `verifications`.`id`
		AND `verification_events`.`type` = 'verification.action_requested'
);--> statement-breakpoint
CREATE INDEX `verifications_resubmitted` ON `verifications` (`submitted_at`,`id`) WHERE "verifications"."status" = 'submitted' and "verifications"."is_resubmitted";