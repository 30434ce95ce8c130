-- SQLite cannot change a CHECK: the table is written anew. Dropping the old one drops its triggers, which are created again below.
CREATE TABLE `__new_audit_entries` (
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
	CONSTRAINT "audit_entries_known_actor_kind" CHECK("__new_audit_entries"."actor_kind" in ('team_member', 'reviewer', 'operator', 'anonymous', 'api_key', 'system')),
	CONSTRAINT "audit_entries_known_outcome" CHECK("__new_audit_entries"."outcome" in ('allowed', 'refused', 'failed')),
	CONSTRAINT "audit_entries_hash_length" CHECK(length("__new_audit_entries"."hash") = 64)
);
--> statement-breakpoint
INSERT INTO `__new_audit_entries`("sequence", "at", "actor_kind", "actor_id", "from_address", "action", "outcome", "client_id", "target_id", "detail", "previous_hash", "hash") SELECT "sequence", "at", "actor_kind", "actor_id", "from_address", "action", "outcome", "client_id", "target_id", "detail", "previous_hash", "hash" FROM `audit_entries`;--> statement-breakpoint
DROP TABLE `audit_entries`;--> statement-breakpoint
ALTER TABLE `__new_audit_entries` RENAME TO `audit_entries`;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_hash` ON `audit_entries` (`hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_previous_hash` ON `audit_entries` (`previous_hash`);--> statement-breakpoint
CREATE INDEX `audit_entries_actor` ON `audit_entries` (`actor_id`);--> statement-breakpoint
CREATE INDEX `audit_entries_client` ON `audit_entries` (`client_id`);--> statement-breakpoint
CREATE INDEX `audit_entries_action` ON `audit_entries` (`action`);--> statement-breakpoint
CREATE INDEX `audit_entries_outcome` ON `audit_entries` (`outcome`);--> statement-breakpoint
CREATE TRIGGER `audit_entries_next` BEFORE INSERT ON `audit_entries`
BEGIN
	SELECT RAISE(ABORT, 'The audit log is a chain: a new entry must follow the last one')
	WHERE NEW.`sequence` IS NOT coalesce((SELECT max(`sequence`) FROM `audit_entries`), 0) + 1
		OR NEW.`previous_hash` IS NOT coalesce((SELECT `hash` FROM `audit_entries` ORDER BY `sequence` DESC LIMIT 1), '0000000000000000000000000000000000000000000000000000000000000000');
	SELECT RAISE(ABORT, 'The audit log is a chain: two entries cannot have the same hash')
	WHERE EXISTS (SELECT 1 FROM `audit_entries` WHERE `hash` = NEW.`hash`);
END;--> statement-breakpoint
CREATE TRIGGER `audit_entries_unchanged` BEFORE UPDATE ON `audit_entries`
BEGIN
	SELECT RAISE(ABORT, 'The audit log is append-only: entries cannot be changed');
END;--> statement-breakpoint
CREATE TRIGGER `audit_entries_unremoved` BEFORE DELETE ON `audit_entries`
BEGIN
	SELECT RAISE(ABORT, 'The audit log is append-only: entries cannot be deleted');
END;
