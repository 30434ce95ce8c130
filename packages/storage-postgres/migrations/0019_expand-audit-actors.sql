-- NOT VALID: no row is read while the table is locked. The next migration validates it.
ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_known_actor_kind";--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_known_actor_kind" CHECK ("audit_entries"."actor_kind" in ('team_member', 'reviewer', 'operator', 'anonymous', 'api_key', 'system')) NOT VALID;
