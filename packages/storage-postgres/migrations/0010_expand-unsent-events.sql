-- A migration of its own: the one before holds a lock on the events that would stop readers while the index is made.
CREATE INDEX "verification_events_unsent" ON "verification_events" USING btree ("client_id","at") WHERE "verification_events"."unsent";--> statement-breakpoint
DROP INDEX "verification_events_undelivered";--> statement-breakpoint
DROP INDEX "verification_events_leased";
