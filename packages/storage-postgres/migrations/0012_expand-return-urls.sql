-- A migration of its own: one that locks two tables and a request that writes to both could wait for each other.
ALTER TABLE "verifications" ADD COLUMN "return_url" text;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "locale" text;