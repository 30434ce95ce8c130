const TABLES = [
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_endpoints',
  'export_requests',
  'hand_over_codes',
  'readings',
  'index_entries',
  'indexed_verifications',
  'index_keys',
  'mails',
  'mail_budgets',
  'verification_events',
  'verifications',
  'verification_counts',
  'usage',
  'api_keys',
  'subscriptions',
  'client_faces',
  'client_retention',
  'clients',
  'audit_entries',
  'erasures',
  'erasure_logs',
  'retention_runs',
];

/** Disables the guard of the audit log, which only the owner of the tables can do, and enables it again. */
const unguarded = (sql: string): string => `
  alter table audit_entries disable trigger audit_entries_append_only;
  ${sql};
  alter table audit_entries enable trigger audit_entries_append_only`;

/** Deletes every row. With few rows this is much faster than `truncate`, which creates each file of a table again. */
export const DELETE_ALL: string = unguarded(TABLES.map((table) => `delete from ${table}`).join(';'));
