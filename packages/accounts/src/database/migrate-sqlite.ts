import { AccountsOpenError } from '../errors.ts';
import {
  CREATE_MIGRATIONS_TABLE,
  MIGRATIONS_TABLE,
  migrationsFor,
  pendingMigrations,
  refuseOutdated,
} from './migrations.ts';
import { connectSqlite, type SqliteConnection, whileBusy } from './sqlite-connection.ts';

/**
 * Applies pending migrations, all or none. If several processes start at once, one migrates and the others wait.
 * @returns names of the migrations applied now
 */
export async function migrateSqlite(file: string): Promise<readonly string[]> {
  return withConnection(file, async (connection) => {
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
      if (connection.inTransaction) connection.exec('ROLLBACK');
      if (cause instanceof AccountsOpenError) throw cause;
      throw new AccountsOpenError(
        'migration_failed',
        'The tables of accounts could not be made, and none was kept',
        {
          cause,
        },
      );
    }
  });
}

/** Runs a statement that returns nothing. */
export async function runInFile(file: string, sql: string): Promise<void> {
  await withConnection(file, async (connection) => {
    await whileBusy(() => void connection.exec(sql));
  });
}

/** Runs a statement that returns one column of text; none without tables of accounts. */
export function selectInFile(file: string, sql: string): Promise<readonly string[]> {
  return withConnection(file, async (connection) => {
    if (appliedTo(connection).length === 0) return [];
    return whileBusy(() => connection.prepare<[], string>(sql).pluck().all());
  });
}

/** Checks that the tables are those of this version. @throws AccountsOpenError if they are not */
export async function checkSqlite(file: string): Promise<void> {
  await withConnection(file, async (connection) =>
    refuseOutdated(pendingMigrations(migrationsFor('sqlite'), appliedTo(connection))),
  );
}

/** Returns the names of the applied migrations. */
export function appliedInFile(file: string): Promise<readonly string[]> {
  return withConnection(file, async (connection) => appliedTo(connection));
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
