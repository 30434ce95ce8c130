-- A migration of its own: the one before holds a lock that would stop readers while rows are read.
ALTER TABLE "verifications" VALIDATE CONSTRAINT "verifications_known_severity";--> statement-breakpoint
ALTER TABLE "verifications" VALIDATE CONSTRAINT "verifications_severe_when_warned";--> statement-breakpoint
ALTER TABLE "verifications" VALIDATE CONSTRAINT "verifications_erased_unwarned";
