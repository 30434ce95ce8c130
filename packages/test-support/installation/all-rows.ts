import { DatabaseSync } from 'node:sqlite';
import { STATUSES, type Status } from '@countersign/domain';
import postgres from 'postgres';
import { expect } from 'vitest';

/**
 * The columns that a copy must preserve. Left out: leases, which end with their workers, the slots of keys, which the
 * copy assigns again, and how far verifications were planned.
 */
const TABLES = {
  clients: {
    id: 'text',
    name: 'text',
    created_at: 'moment',
    test_of: 'text',
    sandbox: 'flag',
    file_access: 'flag',
    asks_place_of_birth: 'flag',
    asks_proof_of_address: 'flag',
    minimum_age: 'text',
    link_days: 'text',
    decision_within: 'text',
    reading_is_advice: 'flag',
    due_hours: 'text',
    family_name_index: 'flag',
    reason_templates: 'json',
  },
  subscriptions: {
    client_id: 'text',
    plan: 'text',
    status: 'text',
    monthly_limit: 'text',
    starts_at: 'moment',
    ends_at: 'moment',
  },
  client_faces: {
    client_id: 'text',
    display_name: 'text',
    colour: 'text',
    support_address: 'text',
    privacy_address: 'text',
    logo_id: 'hash',
    logo_width: 'text',
    logo_height: 'text',
    logo: 'bytes',
  },
  client_retention: { client_id: 'text', policy: 'json' },
  usage: { client_id: 'text', month: 'text', used: 'text', allowance: 'text' },
  api_keys: {
    client_id: 'text',
    id: 'text',
    name: 'text',
    hash: 'hash',
    display: 'text',
    permissions: 'json',
    created_at: 'moment',
    expires_at: 'moment',
    revoked_at: 'moment',
    last_used_at: 'moment',
    created_by: 'text',
  },
  verifications: {
    client_id: 'text',
    id: 'text',
    type: 'text',
    subject_reference: 'text',
    status: 'text',
    requested_at: 'moment',
    resolved_at: 'moment',
    current_step: 'text',
    version: 'text',
    link_version: 'text',
    link_expires_at: 'moment',
    idempotency_key: 'text',
    idempotency_fingerprint: 'text',
    metadata: 'json',
    answers: 'json',
    review_data: 'json',
    submitted_at: 'moment',
    claimed_by: 'text',
    claimed_at: 'moment',
    data_key_wrapped_by: 'text',
    data_key: 'text',
    sandbox_outcome: 'text',
    flow_version: 'text',
    event_count: 'text',
    return_url: 'text',
    locale: 'text',
    relationship_ended_at: 'moment',
    held_at: 'moment',
    held_by: 'text',
    held_until: 'moment',
    erasure_requested_at: 'moment',
    erased_at: 'moment',
    erasure_number: 'text',
    retention_check_at: 'moment',
    notify: 'json',
    warnings: 'json',
    severity: 'text',
    is_resubmitted: 'flag',
  },
  verification_counts: {
    client_id: 'text',
    day: 'text',
    type: 'text',
    ...(Object.fromEntries(STATUSES.map((status) => [status, 'text'])) as Record<Status, 'text'>),
  },
  verification_events: {
    client_id: 'text',
    id: 'text',
    verification_id: 'text',
    version: 'text',
    type: 'text',
    status: 'text',
    at: 'moment',
    actor_kind: 'text',
    actor_id: 'text',
    data: 'json',
    available_at: 'moment',
    attempts: 'text',
    delivered_at: 'moment',
  },
  export_requests: {
    client_id: 'text',
    id: 'text',
    verification_id: 'text',
    requested_at: 'moment',
    requested_by: 'text',
    released_at: 'moment',
    released_by: 'text',
    code_hash: 'text',
    link_version: 'text',
    expires_at: 'moment',
    wrong_codes: 'text',
    downloaded_at: 'moment',
  },
  hand_over_codes: {
    client_id: 'text',
    verification_id: 'text',
    link_version: 'text',
    code_hash: 'text',
    issued_at: 'moment',
    expires_at: 'moment',
    spent_at: 'moment',
    counted_from: 'moment',
    issued: 'text',
  },
  readings: {
    client_id: 'text',
    verification_id: 'text',
    file_id: 'text',
    reader_version: 'text',
    read_at: 'moment',
    data: 'json',
  },
  index_keys: { client_id: 'text', version: 'text', value: 'text', wrapped_by: 'text' },
  indexed_verifications: {
    client_id: 'text',
    verification_id: 'text',
    key_version: 'text',
    rules_version: 'text',
  },
  index_entries: { client_id: 'text', purpose: 'text', label: 'text', verification_id: 'text' },
  mails: {
    id: 'text',
    kind: 'text',
    client_id: 'text',
    verification_id: 'text',
    user_id: 'text',
    target_id: 'text',
    planned_at: 'moment',
    due_at: 'moment',
    attempts: 'text',
  },
  erasures: {
    client_id: 'text',
    number: 'text',
    verification_id: 'text',
    at: 'moment',
    rule: 'text',
    steps: 'text',
    files: 'text',
    events: 'text',
    hash: 'hash',
    finished_at: 'moment',
  },
  erasure_logs: { id: 'text', log_id: 'text' },
  retention_runs: { id: 'text', last_run_at: 'moment', paused_until: 'moment' },
  audit_entries: {
    sequence: 'text',
    at: 'moment',
    actor_kind: 'text',
    actor_id: 'text',
    from_address: 'text',
    action: 'text',
    outcome: 'text',
    client_id: 'text',
    target_id: 'text',
    detail: 'json',
    previous_hash: 'hash',
    hash: 'hash',
  },
} as const;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

type Columns = readonly [name: string, type: string][];
const columnsOf = (table: TableName): Columns => Object.entries(TABLES[table]);

/** Reads each row of a table in a SQLite file as one text, sorted. */
export function rowsInFile(file: string, table: TableName): string[] {
  const columns = columnsOf(table);
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const list = columns
      .map(([name, type]) => `${type === 'bytes' ? `lower(hex(${name}))` : `CAST(${name} AS TEXT)`} AS ${name}`)
      .join(', ');
    const rows = database.prepare(`SELECT ${list} FROM ${table}`).all();
    return rows.map((row) => textOf(columns, row)).sort();
  } finally {
    database.close();
  }
}

/** Reads the same from a Postgres database. */
async function rowsInPostgres(url: string, table: TableName): Promise<string[]> {
  const columns = columnsOf(table);
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    const list = columns
      .map(([name, type]) => `${AS_TEXT[type]?.(name) ?? `${name}::text`} as ${name}`)
      .join(', ');
    const rows = await sql.unsafe(`select ${list} from ${table}`);
    return rows.map((row) => textOf(columns, row)).sort();
  } finally {
    await sql.end();
  }
}

const AS_TEXT: Readonly<Record<string, (name: string) => string>> = {
  moment: (name) => `(extract(epoch from ${name}) * 1000)::bigint::text`,
  flag: (name) => `${name}::int::text`,
  hash: (name) => `encode(${name}, 'hex')`,
  // SQLite has no bytes that are null.
  bytes: (name) => `coalesce(encode(${name}, 'hex'), '')`,
};

function textOf(columns: Columns, row: Readonly<Record<string, unknown>>): string {
  const values = columns.map(([name, type]) => {
    const value = row[name];
    return type === 'json' ? ordered(JSON.parse(String(value))) : value;
  });
  return JSON.stringify(values);
}

/** Sorts the fields of each object. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, ordered(field)]));
}

/** Expects the Postgres database to hold exactly the rows of the file. */
export async function expectEqualRows(file: string, url: string): Promise<void> {
  for (const table of TABLE_NAMES) {
    const [expected, copied] = [rowsInFile(file, table), await rowsInPostgres(url, table)];
    expect(copied.length, table).toBe(expected.length);
    // Compares texts, because the matcher would take minutes for a hundred thousand rows.
    expect(copied.find((row, index) => row !== expected[index])).toBeUndefined();
  }
}
