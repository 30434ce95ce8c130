CREATE TABLE `hand_over_codes` (
	`client_id` text NOT NULL,
	`verification_id` text NOT NULL,
	`link_version` integer NOT NULL,
	`code_hash` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`spent_at` integer,
	`counted_from` integer NOT NULL,
	`issued` integer NOT NULL,
	PRIMARY KEY(`client_id`, `verification_id`),
	FOREIGN KEY (`verification_id`) REFERENCES `verifications`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "hand_over_codes_issued_in_range" CHECK("hand_over_codes"."issued" between 1 and 5),
	CONSTRAINT "hand_over_codes_expires_later" CHECK("hand_over_codes"."issued_at" < "hand_over_codes"."expires_at")
);
--> statement-breakpoint
CREATE INDEX `hand_over_codes_issued_at` ON `hand_over_codes` (`issued_at`);