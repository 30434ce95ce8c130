import { folderOf } from '../config/evidence-setting.ts';
import type { StorageSettings } from '../config/settings.ts';
import type { Database } from './database.ts';

/** Chooses the kind of database. Only its driver is loaded, which saves 40 MB. */
export async function chooseDatabase({
  database,
  migrate,
  dataDir,
  evidence,
}: StorageSettings): Promise<Database> {
  switch (database.kind) {
    case 'sqlite': {
      const { createSqliteDatabase } = await import('./sqlite-database.ts');
      return createSqliteDatabase(database, { migrate, dataDir });
    }
    case 'postgres': {
      const { createPostgresDatabase } = await import('./postgres-database.ts');
      return createPostgresDatabase(database, { migrate, dataDir, evidenceDir: folderOf(evidence) });
    }
    default:
      return database satisfies never;
  }
}

/** Why a database was not opened. */
export type OpenError = Error & { readonly code?: unknown };

/**
 * Recognises an error of opening a database by its name (SqliteOpenError, PostgresOpenError, AccountsOpenError), because
 * importing the classes would load both drivers.
 */
export function isOpenError(error: unknown): error is OpenError {
  return error instanceof Error && error.name.endsWith('OpenError');
}
