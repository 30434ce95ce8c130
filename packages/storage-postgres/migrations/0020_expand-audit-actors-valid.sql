-- A migration of its own: the one before holds a lock that would stop writers while rows are read.
ALTER TABLE "audit_entries" VALIDATE CONSTRAINT "audit_entries_known_actor_kind";
