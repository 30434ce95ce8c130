-- Written by hand: drizzle-kit makes a CHECK by making the table anew, which removes the rows that others refer to.
ALTER TABLE `clients` ADD `sandbox` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `clients` ADD CONSTRAINT "clients_sandbox_yes_or_no" CHECK("clients"."sandbox" in (0, 1));--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `verifications` ADD `sandbox_outcome` text;--> statement-breakpoint
ALTER TABLE `verifications` ADD CONSTRAINT "verifications_known_sandbox_outcome" CHECK("verifications"."sandbox_outcome" in ('approved', 'rejected', 'action_needed'));--> statement-breakpoint
CREATE INDEX `verifications_sandbox_due` ON `verifications` (`requested_at`,`id`) WHERE "verifications"."sandbox_outcome" is not null and "verifications"."status" in ('pending', 'submitted');--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`from_address` text,
	`action` text NOT NULL,
	`outcome` text NOT NULL,
	`client_id` text,
	`target_id` text,
	`detail` text NOT NULL,
	`previous_hash` text NOT NULL,
	`hash` text NOT NULL,
	CONSTRAINT "audit_entries_known_actor_kind" CHECK("audit_entries"."actor_kind" in ('client', 'reviewer', 'operator', 'nobody')),
	CONSTRAINT "audit_entries_known_outcome" CHECK("audit_entries"."outcome" in ('allowed', 'refused', 'failed')),
	CONSTRAINT "audit_entries_hash_length" CHECK(length("audit_entries"."hash") = 64)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_hash` ON `audit_entries` (`hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_previous_hash` ON `audit_entries` (`previous_hash`);--> statement-breakpoint
CREATE INDEX `audit_entries_actor` ON `audit_entries` (`actor_id`);--> statement-breakpoint
CREATE INDEX `audit_entries_client` ON `audit_entries` (`client_id`);--> statement-breakpoint
CREATE INDEX `audit_entries_action` ON `audit_entries` (`action`);--> statement-breakpoint
CREATE INDEX `audit_entries_outcome` ON `audit_entries` (`outcome`);--> statement-breakpoint
-- A line follows the last one by number and by hash; the first one follows zeros. The second is asked here, since INSERT OR
-- REPLACE would remove the line that has the hash, and asks no trigger of DELETE for it.
CREATE TRIGGER `audit_entries_next` BEFORE INSERT ON `audit_entries`
BEGIN
	SELECT RAISE(ABORT, 'The audit log is a chain: a new line follows the last one')
	WHERE NEW.`sequence` IS NOT coalesce((SELECT max(`sequence`) FROM `audit_entries`), 0) + 1
		OR NEW.`previous_hash` IS NOT coalesce((SELECT `hash` FROM `audit_entries` ORDER BY `sequence` DESC LIMIT 1), '0000000000000000000000000000000000000000000000000000000000000000');
	SELECT RAISE(ABORT, 'The audit log is a chain: no two lines have one hash')
	WHERE EXISTS (SELECT 1 FROM `audit_entries` WHERE `hash` = NEW.`hash`);
END;--> statement-breakpoint
CREATE TRIGGER `audit_entries_unchanged` BEFORE UPDATE ON `audit_entries`
BEGIN
	SELECT RAISE(ABORT, 'The audit log is append-only: no line is changed');
END;--> statement-breakpoint
CREATE TRIGGER `audit_entries_unremoved` BEFORE DELETE ON `audit_entries`
BEGIN
	SELECT RAISE(ABORT, 'The audit log is append-only: no line is removed');
END;
