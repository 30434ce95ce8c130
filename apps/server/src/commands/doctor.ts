import { createSqliteStorage, type SqliteFacts, SqliteOpenError } from '@countersign/storage-sqlite';
import type { StorageSettings } from '../config/environment.ts';
import { serverVersion } from '../version.ts';

/** What `doctor` finds. */
export interface DoctorReport {
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  /** Null where it cannot be opened. */
  readonly database: SqliteFacts | null;
  /** One line for each thing that is wrong. */
  readonly problems: readonly string[];
}

/** Reads everything and changes nothing: neither makes a database nor migrates one. */
export async function examine({ databaseFile }: StorageSettings): Promise<{ report: DoctorReport; text: string }> {
  const { database, problems } = await examineDatabase(databaseFile);
  const report = {
    ok: problems.length === 0,
    version: serverVersion(),
    node: process.versions.node,
    database,
    problems,
  };
  return { report, text: textOf(report) };
}

async function examineDatabase(file: string): Promise<Pick<DoctorReport, 'database' | 'problems'>> {
  try {
    const storage = await createSqliteStorage({ file, migrate: false });
    try {
      const database = await storage.inspect();
      const { integrity } = database;
      return {
        database,
        problems: integrity === 'ok' ? [] : integrity.map((line) => `The database is damaged: ${line}`),
      };
    } finally {
      await storage.close();
    }
  } catch (error) {
    if (error instanceof SqliteOpenError) return { database: null, problems: [error.message] };
    throw error;
  }
}

function textOf({ version, node, database, problems }: DoctorReport): string {
  const lines = [`Countersign ${version} on Node ${node}`];
  if (database !== null) {
    const { file, sizeBytes, sqliteVersion, appliedMigrations } = database;
    lines.push(
      `Database ${file}, ${sizeBytes} bytes, SQLite ${sqliteVersion}`,
      `Migrations ${appliedMigrations.join(', ')}`,
    );
  }
  lines.push(...(problems.length === 0 ? ['All is well'] : problems));
  return lines.join('\n');
}
