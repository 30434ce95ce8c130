DROP INDEX `verifications_listing`;--> statement-breakpoint
CREATE INDEX `verifications_groups` ON `verifications` (`client_id`,`status`,`type`,`requested_at`,`id`);--> statement-breakpoint
CREATE INDEX `verifications_resolved` ON `verifications` (`client_id`,`status`,`type`,`resolved_at`,`requested_at`,`id`) WHERE "verifications"."resolved_at" is not null;