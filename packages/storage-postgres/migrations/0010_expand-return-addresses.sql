ALTER TABLE "clients" ADD COLUMN "return_addresses" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "return_url" text;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "locale" text;