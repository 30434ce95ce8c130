import type { StorageSettings } from '../config/settings.ts';
import type { Database } from './database.ts';

/** The one place where the kind of database is chosen. A driver that is not needed is not even loaded (40 MB). */
export async function chooseDatabase({ database, migrate, dataDir }: StorageSettings): Promise<Database> {
  switch (database.kind) {
    case 'sqlite': {
      const { createSqliteDatabase } = await import('./sqlite-database.ts');
      return createSqliteDatabase(database, { migrate, dataDir });
    }
    case 'postgres': {
      const { createPostgresDatabase } = await import('./postgres-database.ts');
      return createPostgresDatabase(database, { migrate });
    }
    default:
      return database satisfies never;
  }
}
