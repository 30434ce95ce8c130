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
	PRIMARY KEY(`client_id`, `id`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_slot_in_range" CHECK("api_keys"."slot" between 1 and 10),
	CONSTRAINT "api_keys_revoked_without_slot" CHECK("api_keys"."revoked_at" is null or "api_keys"."slot" is null)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_slot` ON `api_keys` (`client_id`,`slot`) WHERE "api_keys"."slot" is not null;--> statement-breakpoint
CREATE TABLE `clients` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
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
	`dossier` text NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "verifications_known_type" CHECK("verifications"."type" in ('kyc', 'kyb')),
	CONSTRAINT "verifications_known_status" CHECK("verifications"."status" in ('pending', 'submitted', 'action_needed', 'approved', 'rejected')),
	CONSTRAINT "verifications_resolved_when_decided" CHECK(("verifications"."resolved_at" is not null) = ("verifications"."status" in ('approved', 'rejected'))),
	CONSTRAINT "verifications_idempotency_whole" CHECK(("verifications"."idempotency_key" is null) = ("verifications"."idempotency_fingerprint" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `verifications_one_active` ON `verifications` (`client_id`,`subject_reference`,(case when "resolved_at" is null then '' else "id" end));--> statement-breakpoint
CREATE UNIQUE INDEX `verifications_idempotency_key` ON `verifications` (`client_id`,`idempotency_key`) WHERE "verifications"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX `verifications_listing` ON `verifications` (`client_id`,`requested_at`,`id`,`status`,`type`);