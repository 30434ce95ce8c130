ALTER TABLE `clients` ADD `asks_place_of_birth` integer DEFAULT 1 NOT NULL
	CONSTRAINT "clients_asks_place_of_birth_yes_or_no" CHECK("clients"."asks_place_of_birth" in (0, 1));--> statement-breakpoint
ALTER TABLE `clients` ADD `asks_proof_of_address` integer DEFAULT 1 NOT NULL
	CONSTRAINT "clients_asks_proof_of_address_yes_or_no" CHECK("clients"."asks_proof_of_address" in (0, 1));--> statement-breakpoint
ALTER TABLE `clients` ADD `minimum_age` integer;--> statement-breakpoint
ALTER TABLE `clients` ADD `link_days` integer;--> statement-breakpoint
ALTER TABLE `clients` ADD `decision_within` text;