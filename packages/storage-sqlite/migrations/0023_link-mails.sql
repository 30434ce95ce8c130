ALTER TABLE `verifications` ADD `link_mail_id` text;--> statement-breakpoint
ALTER TABLE `verifications` ADD `link_mail_at` integer
	CONSTRAINT "verifications_link_mail_whole" CHECK(("verifications"."link_mail_id" is null) = ("verifications"."link_mail_at" is null))
	CONSTRAINT "verifications_erased_unmailed" CHECK("verifications"."erasure_number" is null or "verifications"."link_mail_id" is null);--> statement-breakpoint
CREATE INDEX `verifications_link_mails` ON `verifications` (`link_mail_at`,`link_mail_id`) WHERE "verifications"."link_mail_id" is not null;
