CREATE TABLE `export_requests` (
	`client_id` text NOT NULL,
	`id` text NOT NULL,
	`verification_id` text NOT NULL,
	`requested_at` integer NOT NULL,
	`requested_by` text NOT NULL,
	`released_at` integer,
	`released_by` text,
	`code_hash` text,
	`link_version` integer NOT NULL,
	`expires_at` integer,
	`wrong_codes` integer NOT NULL,
	`downloaded_at` integer,
	PRIMARY KEY(`client_id`, `id`),
	FOREIGN KEY (`verification_id`) REFERENCES `verifications`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "export_requests_known_requester" CHECK("export_requests"."requested_by" in ('subject', 'team_member', 'operator')),
	CONSTRAINT "export_requests_release_whole" CHECK(("export_requests"."released_at" is null) = ("export_requests"."code_hash" is null) and ("export_requests"."released_at" is null) = ("export_requests"."expires_at" is null)
        and ("export_requests"."released_at" is null) = ("export_requests"."link_version" = 0)
        and ("export_requests"."released_at" is not null or ("export_requests"."released_by" is null and "export_requests"."downloaded_at" is null and "export_requests"."wrong_codes" = 0))),
	CONSTRAINT "export_requests_wrong_codes_in_range" CHECK("export_requests"."wrong_codes" between 0 and 5)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `export_requests_id` ON `export_requests` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `export_requests_verification` ON `export_requests` (`verification_id`);--> statement-breakpoint
CREATE INDEX `export_requests_expiry` ON `export_requests` (`expires_at`) WHERE "export_requests"."expires_at" is not null;