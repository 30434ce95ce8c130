ALTER TABLE "clients" ADD COLUMN "asks_place_of_birth" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "asks_proof_of_address" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "minimum_age" integer;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "link_days" integer;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "decision_within" text;