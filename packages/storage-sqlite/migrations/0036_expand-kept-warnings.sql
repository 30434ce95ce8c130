ALTER TABLE `verifications` ADD `warnings` text
	CONSTRAINT "verifications_erased_unwarned" CHECK("verifications"."erasure_number" is null or "verifications"."warnings" is null);--> statement-breakpoint
ALTER TABLE `verifications` ADD `severity` text
	CONSTRAINT "verifications_known_severity" CHECK("verifications"."severity" in ('info', 'warning', 'critical'))
	CONSTRAINT "verifications_severe_when_warned" CHECK("verifications"."severity" is null or "verifications"."warnings" is not null);--> statement-breakpoint
CREATE INDEX `verifications_warned` ON `verifications` (`submitted_at`,`id`) WHERE "verifications"."status" = 'submitted' and "verifications"."severity" in ('warning', 'critical');
