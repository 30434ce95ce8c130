import { checkAccounts, migrateAccounts } from './migrate.ts';
import type { AccountsDatabase, StaffDatabase, Tables } from './tables.ts';

/** Opens a database whose tables exist. Libraries are loaded here, and not at start. @throws AccountsOpenError `missing` */
export async function openDatabase(database: AccountsDatabase): Promise<StaffDatabase> {
  const { Kysely } = await import('kysely');
  if (database.kind === 'sqlite') {
    const { connectSqlite } = await import('./sqlite-connection.ts');
    const { createSqliteDialect } = await import('./sqlite-dialect.ts');
    return new Kysely<Tables>({
      dialect: createSqliteDialect(await connectSqlite(database.file), database.writeGuard),
    });
  }
  const { createPostgresDialect } = await import('./postgres-dialect.ts');
  return new Kysely<Tables>({ dialect: createPostgresDialect(database.connections.openPool()) });
}

/** A database that opens on first use. */
export interface Opening {
  database(): Promise<StaffDatabase>;
  close(): Promise<void>;
}

/** Migrates or checks the tables. The database opens on first use. @throws AccountsOpenError */
export async function prepare(place: AccountsDatabase, options: { migrate: boolean }): Promise<Opening> {
  if (options.migrate) await migrateAccounts(place);
  else await checkAccounts(place);
  let opened: Promise<StaffDatabase> | undefined;
  return {
    database() {
      opened ??= openDatabase(place).catch((error: unknown) => {
        // The next call tries again.
        opened = undefined;
        throw error;
      });
      return opened;
    },
    async close() {
      const database = await opened;
      await database?.destroy();
    },
  };
}
