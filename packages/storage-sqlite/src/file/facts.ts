import type { Connection } from '../connection/connection.ts';
import { integrityOf } from './integrity.ts';
import { appliedMigrations, type Migration, pendingMigrations } from './migrations.ts';
import type { SqliteFacts } from './reports.ts';

/** Reads the whole file, so it takes its time: about a second for a gigabyte. */
export function factsOf(connection: Connection): SqliteFacts {
  const applied = appliedMigrations(connection);
  const integrity = integrityOf(connection);
  return {
    file: connection.name,
    sizeBytes: numberOf(connection, 'page_count') * numberOf(connection, 'page_size'),
    sqliteVersion: connection.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '',
    appliedMigrations: applied.map(nameOf),
    pendingMigrations: pendingMigrations(applied).map(nameOf),
    ...(integrity === 'ok' ? countsOf(connection) : { rows: {}, dataKeysBy: {} }),
    integrity,
  };
}

function numberOf(connection: Connection, pragma: string): number {
  return Number(connection.pragma(pragma, { simple: true }));
}

function countsOf(connection: Connection): Pick<SqliteFacts, 'rows' | 'dataKeysBy'> {
  const rows = rowsOf(connection);
  if (rows.verifications === undefined) return { rows, dataKeysBy: {} };
  const wrapped = connection.prepare<[], { name: string; count: number }>(
    `SELECT data_key_wrapped_by AS name, count(*) AS count FROM verifications
     WHERE data_key_wrapped_by IS NOT NULL GROUP BY name ORDER BY name`,
  );
  return { rows, dataKeysBy: Object.fromEntries(wrapped.all().map(({ name, count }) => [name, count])) };
}

function rowsOf(connection: Connection): Record<string, number> {
  const tables = connection
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all();
  const countOf = (table: string) =>
    connection
      .prepare<[], number>(`SELECT count(*) FROM "${table.replaceAll('"', '""')}"`)
      .pluck()
      .get() ?? 0;
  return Object.fromEntries(tables.map((table) => [table, countOf(table)]));
}

function nameOf({ name }: Migration): string {
  return name;
}
