import { AccountsOpenError } from '../errors.ts';
import {
  CREATE_MIGRATIONS_TABLE,
  MIGRATIONS_TABLE,
  type Migrator,
  migrationsFor,
  pendingMigrations,
} from './migrations.ts';
import { connectSqlite, type SqliteConnection, whileBusy } from './sqlite-connection.ts';

/** Opens the tables of accounts in a SQLite file for each call. */
export function createSqliteMigrator(file: string): Migrator {
  return {
    applied: () => withConnection(file, async (connection) => appliedTo(connection)),
    migrate: () => withConnection(file, migrate),
    run: (sql) => withConnection(file, (connection) => whileBusy(() => void connection.exec(sql))),
    select: (sql) =>
      withConnection(file, async (connection) => {
        if (appliedTo(connection).length === 0) return [];
        return whileBusy(() => connection.prepare<[], string>(sql).pluck().all());
      }),
  };
}

/** Applies the pending migrations in one transaction. After a failure, closing the connection rolls it back. */
async function migrate(connection: SqliteConnection): Promise<readonly string[]> {
  const all = migrationsFor('sqlite');
  if (pendingMigrations(all, appliedTo(connection)).length === 0) return [];
  await whileBusy(() => void connection.exec('BEGIN IMMEDIATE'));
  try {
    connection.exec(CREATE_MIGRATIONS_TABLE);
    const pending = pendingMigrations(all, appliedTo(connection));
    for (const { name, sql, hash } of pending) {
      connection.exec(sql);
      connection
        .prepare(`INSERT INTO ${MIGRATIONS_TABLE} (name, hash, applied_at) VALUES (?, ?, ?)`)
        .run(name, hash, new Date().toISOString());
    }
    connection.exec('COMMIT');
    return pending.map(({ name }) => name);
  } catch (cause) {
    if (cause instanceof AccountsOpenError) throw cause;
    const message = 'The tables of accounts could not be made, and none was kept';
    throw new AccountsOpenError('migration_failed', message, { cause });
  }
}

function appliedTo(connection: SqliteConnection): string[] {
  const table = connection
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
    .get(MIGRATIONS_TABLE);
  if (table === undefined) return [];
  return connection.prepare<[], string>(`SELECT name FROM ${MIGRATIONS_TABLE}`).pluck().all();
}

async function withConnection<T>(file: string, work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
  const connection = await connectSqlite(file);
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}
