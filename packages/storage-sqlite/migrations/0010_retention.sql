ALTER TABLE `verifications` ADD `relationship_ended_at` integer;--> statement-breakpoint
ALTER TABLE `verifications` ADD `held_at` integer;--> statement-breakpoint
ALTER TABLE `verifications` ADD `held_by` text;--> statement-breakpoint
ALTER TABLE `verifications` ADD `held_until` integer;--> statement-breakpoint
ALTER TABLE `verifications` ADD `erasure_requested_at` integer;--> statement-breakpoint
ALTER TABLE `verifications` ADD `erased_at` integer;--> statement-breakpoint
ALTER TABLE `verifications` ADD `erasure_number` integer;--> statement-breakpoint
-- SQLite adds a CHECK to a stored table only with a column, and tests it against every row: so one column has all of them.
ALTER TABLE `verifications` ADD `retention_check_at` integer
	CONSTRAINT "verifications_relationship_of_approved" CHECK("verifications"."relationship_ended_at" is null or "verifications"."status" = 'approved')
	CONSTRAINT "verifications_hold_whole" CHECK("verifications"."held_at" is not null or ("verifications"."held_by" is null and "verifications"."held_until" is null))
	CONSTRAINT "verifications_held_or_erased" CHECK("verifications"."held_at" is null or "verifications"."erased_at" is null)
	CONSTRAINT "verifications_erased_when_decided" CHECK("verifications"."resolved_at" is not null or ("verifications"."erasure_requested_at" is null and "verifications"."erased_at" is null and "verifications"."retention_check_at" is null))
	CONSTRAINT "verifications_erased_emptied" CHECK("verifications"."erasure_number" is null or ("verifications"."erased_at" is not null and "verifications"."subject_reference" = 'erased:' || "verifications"."id" and "verifications"."idempotency_key" is null and "verifications"."metadata" = '{}' and "verifications"."answers" = '{}' and "verifications"."review_data" = '{}' and "verifications"."data_key" is null and "verifications"."sandbox_outcome" is null and "verifications"."return_url" is null and "verifications"."locale" is null));--> statement-breakpoint
CREATE INDEX `verifications_retention_due` ON `verifications` (`retention_check_at`,`id`) WHERE "verifications"."retention_check_at" is not null;
