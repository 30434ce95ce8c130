CREATE TABLE `webhook_attempts` (
	`client_id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`event_id` text NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`request` text NOT NULL,
	`status` integer,
	`answer` text,
	`fault` text,
	PRIMARY KEY(`client_id`, `endpoint_id`, `event_id`, `id`),
	FOREIGN KEY (`client_id`,`endpoint_id`,`event_id`) REFERENCES `webhook_deliveries`(`client_id`,`endpoint_id`,`event_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`client_id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`event_id` text NOT NULL,
	`verification_id` text NOT NULL,
	`version` integer NOT NULL,
	`type` text NOT NULL,
	`at` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer,
	PRIMARY KEY(`client_id`, `endpoint_id`, `event_id`),
	FOREIGN KEY (`client_id`,`endpoint_id`) REFERENCES `webhook_endpoints`(`client_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`verification_id`,`version`,`event_id`) REFERENCES `verification_events`(`verification_id`,`version`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_deliveries_known_state" CHECK("webhook_deliveries"."state" in ('waiting', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_due_if_waiting" CHECK(("webhook_deliveries"."due_at" is not null) = ("webhook_deliveries"."state" = 'waiting'))
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_log` ON `webhook_deliveries` (`endpoint_id`,`state`,`at`,`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`due_at`,`at`,`event_id`) WHERE "webhook_deliveries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_verification` ON `webhook_deliveries` (`verification_id`,`version`);--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`client_id` text NOT NULL,
	`id` text NOT NULL,
	`slot` integer NOT NULL,
	`url` text NOT NULL,
	`name` text NOT NULL,
	`types` text NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text,
	`secret` text NOT NULL,
	`secret_wrapped_by` text,
	`previous_secret` text,
	`previous_secret_wrapped_by` text,
	`previous_secret_valid_until` integer,
	`failing_since` integer,
	`due_at` integer,
	`lease_token` text,
	`leased_until` integer,
	PRIMARY KEY(`client_id`, `id`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_endpoints_slot_in_range" CHECK("webhook_endpoints"."slot" between 1 and 10),
	CONSTRAINT "webhook_endpoints_known_state" CHECK("webhook_endpoints"."state" in ('active', 'paused', 'disabled')),
	CONSTRAINT "webhook_endpoints_nothing_due_if_disabled" CHECK("webhook_endpoints"."due_at" is null or "webhook_endpoints"."state" <> 'disabled'),
	CONSTRAINT "webhook_endpoints_lease_whole" CHECK(("webhook_endpoints"."lease_token" is null) = ("webhook_endpoints"."leased_until" is null)),
	CONSTRAINT "webhook_endpoints_previous_secret_whole" CHECK(("webhook_endpoints"."previous_secret" is null) = ("webhook_endpoints"."previous_secret_valid_until" is null) and ("webhook_endpoints"."previous_secret_wrapped_by" is null or "webhook_endpoints"."previous_secret" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_endpoints_slot` ON `webhook_endpoints` (`client_id`,`slot`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_due` ON `webhook_endpoints` (`due_at`,`id`) WHERE "webhook_endpoints"."due_at" is not null and "webhook_endpoints"."state" = 'active';--> statement-breakpoint
-- Events before this version are never sent: `unsent` is null.
ALTER TABLE `verification_events` ADD `unsent` integer;--> statement-breakpoint
DROP INDEX `verification_events_undelivered`;--> statement-breakpoint
DROP INDEX `verification_events_leased`;--> statement-breakpoint
CREATE INDEX `verification_events_unsent` ON `verification_events` (`client_id`,`at`) WHERE "verification_events"."unsent" is not null;