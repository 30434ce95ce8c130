CREATE TABLE `api_keys` (
	`client_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`display` text NOT NULL,
	`permissions` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	`slot` integer,
	`created_by` text,
	PRIMARY KEY(`client_id`, `id`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_slot_in_range" CHECK("api_keys"."slot" between 1 and 10),
	CONSTRAINT "api_keys_revoked_without_slot" CHECK("api_keys"."revoked_at" is null or "api_keys"."slot" is null)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_slot` ON `api_keys` (`client_id`,`slot`) WHERE "api_keys"."slot" is not null;--> statement-breakpoint
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
	CONSTRAINT "audit_entries_known_actor_kind" CHECK("audit_entries"."actor_kind" in ('team_member', 'reviewer', 'operator', 'anonymous')),
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
CREATE TABLE `clients` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`sandbox` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "clients_sandbox_yes_or_no" CHECK("clients"."sandbox" in (0, 1))
);
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`client_id` text PRIMARY KEY NOT NULL,
	`plan` text NOT NULL,
	`status` text NOT NULL,
	`monthly_limit` integer,
	`starts_at` integer NOT NULL,
	`ends_at` integer,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscriptions_known_plan" CHECK("subscriptions"."plan" in ('standard', 'enterprise')),
	CONSTRAINT "subscriptions_known_status" CHECK("subscriptions"."status" in ('active', 'canceled'))
);
--> statement-breakpoint
CREATE TABLE `usage` (
	`client_id` text NOT NULL,
	`month` text NOT NULL,
	`used` integer NOT NULL,
	`allowance` integer NOT NULL,
	PRIMARY KEY(`client_id`, `month`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "usage_within_allowance" CHECK("usage"."used" <= "usage"."allowance")
);
--> statement-breakpoint
CREATE TABLE `verification_events` (
	`client_id` text NOT NULL,
	`id` text NOT NULL,
	`verification_id` text NOT NULL,
	`version` integer NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`data` text NOT NULL,
	`available_at` integer NOT NULL,
	`lease_token` text,
	`attempts` integer NOT NULL,
	`delivered_at` integer,
	PRIMARY KEY(`verification_id`, `version`, `id`),
	FOREIGN KEY (`verification_id`) REFERENCES `verifications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `verification_events_history` ON `verification_events` (`verification_id`,`version`) WHERE "verification_events"."type" in ('verification.submitted', 'verification.action_requested', 'verification.approved', 'verification.rejected', 'verification.withdrawn');--> statement-breakpoint
CREATE INDEX `verification_events_undelivered` ON `verification_events` (`at`,`id`) WHERE "verification_events"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX `verification_events_leased` ON `verification_events` (`lease_token`) WHERE "verification_events"."lease_token" is not null;--> statement-breakpoint
CREATE TABLE `verifications` (
	`client_id` text NOT NULL,
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`subject_reference` text NOT NULL,
	`status` text NOT NULL,
	`requested_at` integer NOT NULL,
	`resolved_at` integer,
	`current_step` integer NOT NULL,
	`version` integer NOT NULL,
	`link_version` integer NOT NULL,
	`link_expires_at` integer NOT NULL,
	`idempotency_key` text,
	`idempotency_fingerprint` text,
	`metadata` text NOT NULL,
	`answers` text NOT NULL,
	`review_data` text NOT NULL,
	`submitted_at` integer,
	`claimed_by` text,
	`claimed_at` integer,
	`data_key_wrapped_by` text,
	`data_key` text,
	`sandbox_outcome` text,
	`flow_version` integer NOT NULL,
	`event_count` integer NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "verifications_known_type" CHECK("verifications"."type" in ('kyc', 'kyb')),
	CONSTRAINT "verifications_known_status" CHECK("verifications"."status" in ('pending', 'submitted', 'action_needed', 'approved', 'rejected')),
	CONSTRAINT "verifications_resolved_when_decided" CHECK(("verifications"."resolved_at" is not null) = ("verifications"."status" in ('approved', 'rejected'))),
	CONSTRAINT "verifications_idempotency_whole" CHECK(("verifications"."idempotency_key" is null) = ("verifications"."idempotency_fingerprint" is null)),
	CONSTRAINT "verifications_pending_unsubmitted" CHECK("verifications"."submitted_at" is null or "verifications"."status" <> 'pending'),
	CONSTRAINT "verifications_claim_whole" CHECK(("verifications"."claimed_by" is null) = ("verifications"."claimed_at" is null)),
	CONSTRAINT "verifications_claimed_when_submitted" CHECK("verifications"."claimed_by" is null or "verifications"."status" = 'submitted'),
	CONSTRAINT "verifications_data_key_whole" CHECK(("verifications"."data_key" is null) = ("verifications"."data_key_wrapped_by" is null)),
	CONSTRAINT "verifications_known_sandbox_outcome" CHECK("verifications"."sandbox_outcome" in ('approved', 'rejected', 'action_needed')),
	CONSTRAINT "verifications_event_limit" CHECK("verifications"."event_count" <= 1000 or "verifications"."resolved_at" is not null)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `verifications_one_active` ON `verifications` (`client_id`,`subject_reference`,(case when "resolved_at" is null then '' else "id" end));--> statement-breakpoint
CREATE UNIQUE INDEX `verifications_idempotency_key` ON `verifications` (`client_id`,`idempotency_key`) WHERE "verifications"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX `verifications_listing` ON `verifications` (`client_id`,`requested_at`,`id`,`status`,`type`);--> statement-breakpoint
CREATE INDEX `verifications_queue` ON `verifications` (`status`,`submitted_at`,`id`,`client_id`,`type`,`claimed_by`) WHERE "verifications"."status" <> 'pending';--> statement-breakpoint
CREATE INDEX `verifications_sandbox_due` ON `verifications` (`requested_at`,`id`) WHERE "verifications"."sandbox_outcome" is not null and "verifications"."status" in ('pending', 'submitted');--> statement-breakpoint
-- drizzle-kit knows no triggers: the rest is written by hand.
-- A new entry follows the last one by number and by hash; the first one follows zeros. The second check is made here because INSERT OR
-- REPLACE would delete the entry that has the hash without firing the trigger of DELETE.
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
