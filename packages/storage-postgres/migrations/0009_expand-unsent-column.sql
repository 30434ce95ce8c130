-- A migration of its own: one that locks two tables and a request that writes to both could wait for each other.
ALTER TABLE "verification_events" ALTER COLUMN "available_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "verification_events" ALTER COLUMN "attempts" DROP NOT NULL;--> statement-breakpoint
-- Events that are stored already have no value, so that nothing is rewritten and none of them is sent.
-- The default counts the events that a server of version 0.2.0 stores beside this one.
ALTER TABLE "verification_events" ADD COLUMN "unsent" boolean;--> statement-breakpoint
ALTER TABLE "verification_events" ALTER COLUMN "unsent" SET DEFAULT true;
