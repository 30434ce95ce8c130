import { migrateAccounts } from '@countersign/accounts';
import { createSqliteStorage, lockForServing, migrateSqlite, SqliteOpenError } from '@countersign/storage-sqlite';
import { ensureDataDirectory } from '../config/data-directory.ts';
import type { SqliteSettings } from '../config/database-settings.ts';
import type { Database, DatabaseFacts } from './database.ts';
import type { Findings } from './findings.ts';

/** Creates the access to a SQLite file. One server at a time can serve it. */
export function createSqliteDatabase(
  { file }: SqliteSettings,
  { dataDir, migrate }: { dataDir: string; migrate: boolean },
): Database {
  const accounts = { kind: 'sqlite', file } as const;
  return {
    kind: 'sqlite',
    place: file,
    accounts,
    async open() {
      ensureDataDirectory(dataDir);
      return createSqliteStorage({ file, migrate });
    },
    openToRead: () => createSqliteStorage({ file, migrate: false }),
    async openForServing() {
      ensureDataDirectory(dataDir);
      const lock = lockForServing(file);
      try {
        const storage = await createSqliteStorage({ file, migrate });
        return {
          ...storage,
          async close() {
            try {
              await storage.close();
            } finally {
              lock.release();
            }
          },
        };
      } catch (error) {
        lock.release();
        throw error;
      }
    },
    async migrate() {
      ensureDataDirectory(dataDir);
      return [...(await migrateSqlite({ file })), ...(await migrateAccounts(accounts))];
    },
    examine: () => examine(file),
    async backUp(target) {
      // Never creates or migrates the database only to copy it.
      const storage = await createSqliteStorage({ file, migrate: false });
      try {
        await storage.backup(target);
      } finally {
        await storage.close();
      }
    },
    createRateLimiter: () => undefined,
  };
}

async function examine(file: string): Promise<Findings<DatabaseFacts>> {
  try {
    const storage = await createSqliteStorage({ file, migrate: false });
    try {
      const facts = await storage.inspect();
      const { integrity, sizeBytes, sqliteVersion, appliedMigrations } = facts;
      return {
        facts: { kind: 'sqlite', ...facts },
        lines: [
          `Database ${facts.file}, ${sizeBytes} bytes, SQLite ${sqliteVersion}`,
          `Migrations ${appliedMigrations.join(', ')}`,
        ],
        problems:
          integrity === 'ok'
            ? []
            : integrity.map((line) => `The database is damaged, restore it from a backup: ${line}`),
      };
    } finally {
      await storage.close();
    }
  } catch (error) {
    if (error instanceof SqliteOpenError) return { facts: null, lines: [], problems: [error.message] };
    throw error;
  }
}
