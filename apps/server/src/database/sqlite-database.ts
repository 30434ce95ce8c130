import { statSync } from 'node:fs';
import { join } from 'node:path';
import { migrateAccounts } from '@countersign/accounts';
import {
  backUpSqlite,
  COMPANIONS,
  createSqliteStorage,
  inspectSqliteBackup,
  lockForServing,
  migrateSqlite,
  restoreMarkOf,
  type SqliteBackupProgress,
  SqliteOpenError,
  type SqliteStorage,
} from '@countersign/storage-sqlite';
import { ensureDataDirectory } from '../config/data-directory.ts';
import type { SqliteSettings } from '../config/database-settings.ts';
import type { Database, DatabaseFacts, InspectedBackup } from './database.ts';
import type { Findings } from './findings.ts';
import { MANIFEST, type Manifest, SQLITE_FILE } from './manifest.ts';
import { backUpBeforeMigrating } from './migration-backup.ts';

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
      if (migrate) await backUpBeforeMigrating(file);
      return createSqliteStorage({ file, migrate });
    },
    openToRead: () => createSqliteStorage({ file, migrate: false }),
    isServed: () => isServed(file),
    async openForServing(onFault) {
      ensureDataDirectory(dataDir);
      const lock = lockForServing(file);
      try {
        if (migrate) await backUpBeforeMigrating(file);
        const storage = await createSqliteStorage({ file, migrate });
        await checkAfterKill(storage, { file, onFault });
        return {
          ...storage,
          sizeBytes: async () => fileSize(file) + fileSize(`${file}-wal`),
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
      await backUpBeforeMigrating(file);
      return [...(await migrateSqlite({ file })), ...(await migrateAccounts(accounts))];
    },
    examine: () => examine(file),
    async sizeBytes() {
      return fileSize(file);
    },
    async backUp(directory, { onProgress }) {
      const target = join(directory, SQLITE_FILE);
      const show = (progress: SqliteBackupProgress) => onProgress({ doing: 'copying the database', ...progress });
      await backUpSqlite({ file, target, onProgress: show });
      const { appliedMigrations, rows, dataKeysBy } = await inspectSqliteBackup({ file: target });
      return {
        database: { kind: 'sqlite', file: SQLITE_FILE, migrations: [...appliedMigrations], rows: { ...rows } },
        wrappedBy: Object.keys(dataKeysBy),
      };
    },
    inspectBackup: (directory, manifest) => inspectBackup(join(directory, SQLITE_FILE), manifest),
    replacement: {
      lock() {
        ensureDataDirectory(dataDir);
        return lockForServing(file);
      },
      get markFile() {
        return restoreMarkOf(file);
      },
      files: [file, ...COMPANIONS.map((suffix) => `${file}${suffix}`)],
    },
    createRateLimiter: () => undefined,
  };
}

function isServed(file: string): boolean {
  try {
    lockForServing(file).release();
    return false;
  } catch (error) {
    if (error instanceof SqliteOpenError && error.code === 'already_served') return true;
    throw error;
  }
}

/**
 * Checks a database whose last server was killed. A large one is checked while it is served; if it is damaged, the storage
 * stops writes and the fault is reported.
 * @throws SqliteOpenError `damaged`
 */
async function checkAfterKill(
  storage: SqliteStorage,
  { file, onFault }: { readonly file: string; onFault(fault: unknown): void },
): Promise<void> {
  const check = storage.checkAfterKill();
  if (check === null) return;
  const damage = (line: string | undefined) =>
    new SqliteOpenError('damaged', `The database ${file} is damaged, restore a backup: ${line}`);
  if (check.isDone) {
    if (check.found === 'ok') return;
    await storage.close();
    throw damage(check.found[0]);
  }
  check.found.then((found) => found !== 'ok' && onFault(damage(found[0])), onFault);
}

async function inspectBackup(file: string, { database }: Manifest): Promise<InspectedBackup> {
  const { integrity, rows, dataKeysBy, pendingMigrations } = await inspectSqliteBackup({ file });
  const problems =
    integrity === 'ok' ? [] : integrity.map((line) => `The database in the backup is damaged: ${line}`);
  const expected = database.kind === 'sqlite' ? database.rows : {};
  for (const table of problems.length > 0 ? [] : Object.keys({ ...expected, ...rows })) {
    if (rows[table] === expected[table]) continue;
    problems.push(
      `The table ${table} in the backup has ${rows[table] ?? 'no'} rows, and ${MANIFEST} says ${expected[table] ?? 'none'}`,
    );
  }
  const isReadable = problems.length === 0 && pendingMigrations.length === 0;
  const open = () => createSqliteStorage({ file, migrate: false, readonly: true });
  return { problems, wrappedBy: Object.keys(dataKeysBy), open: isReadable ? open : undefined };
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

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
