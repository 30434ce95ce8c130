const TABLES = [
  'verification_events',
  'verifications',
  'usage',
  'api_keys',
  'subscriptions',
  'clients',
  'audit_entries',
];

/** As the owner of the tables can, who takes the guard of the audit log away and puts it back. */
const unguarded = (sql: string): string => `
  alter table audit_entries disable trigger audit_entries_append_only;
  ${sql};
  alter table audit_entries enable trigger audit_entries_append_only`;

/** Takes every row away. With few rows this takes a small part of what `truncate` does, which makes each file of a table anew. */
export const DELETE_ALL: string = unguarded(TABLES.map((table) => `delete from ${table}`).join(';'));
