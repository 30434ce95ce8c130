import { closeSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Counts read from the database file, with another library and process than the server's. */
export interface Tally {
  /** Rows of the client's verifications. */
  readonly rows: number;
  /** The usage counted towards the monthly limit. */
  readonly used: number;
  /** The sum of its counts by day, type and status. */
  readonly counted: number;
  /** Verifications with exactly one `verification.created` event. */
  readonly created: number;
  /** Events of all types. */
  readonly events: number;
}

export function tallyOf(file: string, clientId: string): Tally {
  return withDatabase(file, (database) => ({
    rows: countOf(database, 'SELECT count(*) AS n FROM verifications WHERE client_id = ?', clientId),
    used: countOf(database, 'SELECT coalesce(sum(used), 0) AS n FROM usage WHERE client_id = ?', clientId),
    counted: countOf(
      database,
      `SELECT coalesce(sum(pending + submitted + action_needed + approved + rejected), 0) AS n
       FROM verification_counts WHERE client_id = ?`,
      clientId,
    ),
    created: countOf(
      database,
      `SELECT count(*) AS n FROM verifications v WHERE client_id = ? AND 1 = (SELECT count(*) FROM
       verification_events e WHERE e.verification_id = v.id AND e.client_id = v.client_id AND e.type = 'verification.created')`,
      clientId,
    ),
    events: countOf(database, 'SELECT count(*) AS n FROM verification_events WHERE client_id = ?', clientId),
  }));
}

/** Returns the ids of the client's verifications. */
export function idsIn(file: string, clientId: string): Set<string> {
  return withDatabase(file, (database) => {
    const rows = database.prepare('SELECT id FROM verifications WHERE client_id = ?').all(clientId);
    return new Set(rows.map(({ id }) => String(id)));
  });
}

/** Tables that change without an action: the audit log, the sessions in use, and when the job of retention last ran. */
const RESTLESS: ReadonlySet<string> = new Set(['audit_entries', 'staff_sessions', 'retention_runs']);

/**
 * Reads all rows of the installation, by table, except the audit log, sessions and runs of retention. Two results are equal when nothing
 * changed between them.
 */
export function everyRow(file: string): Readonly<Record<string, readonly string[]>> {
  return withDatabase(file, (database) => {
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !RESTLESS.has(name));
    return Object.fromEntries(
      tables.map((table) => {
        const rows = database.prepare(`SELECT * FROM "${table}"`).all();
        return [table, rows.map((row) => JSON.stringify(row)).sort()];
      }),
    );
  });
}

/** Runs a query on the database file. */
export function rowsOf(file: string, sql: string, ...values: (string | number)[]): Record<string, unknown>[] {
  return withDatabase(file, (database) => database.prepare(sql).all(...values));
}

/** Returns SQLite's integrity check: `ok` or the first problem. */
export function integrityOf(file: string): unknown {
  return withDatabase(file, (database) => database.prepare('PRAGMA integrity_check').get()?.integrity_check);
}

/** Changes the database file with one statement. Throws when it changes nothing. */
export function change(file: string, sql: string, ...values: (string | number)[]): void {
  const changes = withDatabase(file, (database) => database.prepare(sql).run(...values).changes, {
    readOnly: false,
  });
  if (Number(changes) === 0) throw new Error(`nothing to change: ${sql}`);
}

/** Changes the schema of the database file. */
export function define(file: string, sql: string): void {
  withDatabase(file, (database) => database.exec(sql), { readOnly: false });
}

/**
 * Overwrites the root page of a table or an index, as a failing disk does, also while a server uses the file. The page must not be in the
 * log only.
 */
export function overwritePageOf(file: string, name: string): void {
  const [page, size] = withDatabase(file, (database) => [
    Number(database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name)?.rootpage),
    Number(database.prepare('PRAGMA page_size').get()?.page_size),
  ]);
  const handle = openSync(file, 'r+');
  try {
    writeSync(handle, Buffer.alloc(size, 0xee), 0, size, (page - 1) * size);
  } finally {
    closeSync(handle);
  }
}

/** Holds SQLite's write lock until release, which may be called twice. */
export function holdWriteLock(file: string): { release(): void } {
  const database = open(file, { readOnly: false });
  database.exec('BEGIN IMMEDIATE');
  let held = true;
  return {
    release() {
      if (held) database.close();
      held = false;
    },
  };
}

function countOf(database: DatabaseSync, sql: string, clientId: string): number {
  return Number(database.prepare(sql).get(clientId)?.n);
}

function withDatabase<T>(
  file: string,
  use: (database: DatabaseSync) => T,
  { readOnly }: { readOnly: boolean } = { readOnly: true },
): T {
  const database = open(file, { readOnly });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Opens the file with the busy timeout of the server's connections. (Node 22.14 lacks the option `timeout`.) */
function open(file: string, options: { readOnly: boolean }): DatabaseSync {
  const database = new DatabaseSync(file, options);
  database.exec('PRAGMA busy_timeout = 5000');
  return database;
}
