import { statSync } from 'node:fs';
import { join } from 'node:path';
import { migrateAccounts, moveUsersToLiveClients } from '@countersign/accounts';
import {
  backUpSqlite,
  beginServing,
  COMPANIONS,
  createSqliteStorage,
  damageIn,
  damageText,
  endedUncleanly,
  inspectSqliteBackup,
  isServed,
  lockForServing,
  restoreMarkOf,
  type SqliteBackupProgress,
  SqliteOpenError,
  type SqliteStorage,
  servingMarkOf,
  type UnclearedSpace,
} from '@countersign/storage-sqlite';
import { ensureDataDirectory } from '../config/data-directory.ts';
import type { SqliteSettings } from '../config/database-settings.ts';
import type { Database, DatabaseFacts, InspectedBackup } from './database.ts';
import type { Findings } from './findings.ts';
import { MANIFEST, type Manifest, SQLITE_FILE } from './manifest.ts';
import { migrateAfterCopy } from './migration-backup.ts';

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
      if (migrate) await migrateAfterCopy(file);
      return createSqliteStorage({ file, migrate });
    },
    openToRead: () => createSqliteStorage({ file, migrate: false }),
    isServed: () => isServed(file),
    explained(error) {
      if (error instanceof SqliteOpenError) return error;
      const damage = damageIn(error);
      return damage === undefined ? error : damaged(file, damage.message, error);
    },
    async openForServing({ onFault, onDamage }) {
      ensureDataDirectory(dataDir);
      // Before anything opens the file.
      const serving = beginServing(file);
      let isChecked = !serving.isAfterUncleanEnd;
      try {
        if (migrate) await migrateAfterCopy(file);
        const storage = await createSqliteStorage({
          file,
          migrate,
          temporaryFolders: temporaryFolders(),
          onDamage,
        });
        if (!isChecked) {
          const onSound = () => {
            isChecked = true;
          };
          await checkAfterUncleanEnd(storage, { file, onFault, onSound });
        }
        return {
          ...storage,
          accounts: { ...accounts, writeGuard: storage },
          sizeBytes: async () => fileSize(file) + fileSize(`${file}-wal`),
          async close() {
            let clean = false;
            try {
              await storage.close();
              clean = isChecked && storage.isSound();
            } finally {
              serving.end({ clean });
            }
          },
        };
      } catch (error) {
        serving.end({ clean: isChecked });
        throw error;
      }
    },
    async migrate() {
      ensureDataDirectory(dataDir);
      const applied = [...(await migrateAfterCopy(file)), ...(await migrateAccounts(accounts))];
      await moveUsersToLiveClients(accounts);
      return applied;
    },
    examine: () => examine(file),
    async clearErasedSpace() {
      const storage = await createSqliteStorage({ file, migrate: false, temporaryFolders: temporaryFolders() });
      try {
        return await storage.erasedSpace.clear();
      } finally {
        await storage.close();
      }
    },
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
      async lock() {
        ensureDataDirectory(dataDir);
        const lock = lockForServing(file);
        return { release: async () => lock.release() };
      },
      get markFile() {
        return restoreMarkOf(file);
      },
      get files() {
        return [file, ...COMPANIONS.map((suffix) => `${file}${suffix}`), servingMarkOf(file)];
      },
    },
    createRateLimiter: () => undefined,
  };
}

/** Returns the folders that the variables name which SQLite reads from the environment of the process, in its order. */
function temporaryFolders(): string[] {
  const { SQLITE_TMPDIR = '', TMPDIR = '' } = process.env;
  return [SQLITE_TMPDIR, TMPDIR];
}

/**
 * Checks a database whose last server did not end cleanly. A large one is checked while it is served; if it is damaged, the
 * storage stops writes and the fault is reported.
 * @throws SqliteOpenError `damaged`
 */
async function checkAfterUncleanEnd(
  storage: SqliteStorage,
  { file, onFault, onSound }: { readonly file: string; onFault(fault: unknown): void; onSound(): void },
): Promise<void> {
  const check = storage.quickCheck();
  if (check.isDone) {
    if (check.found === 'ok') return onSound();
    await storage.close();
    throw damaged(file, check.found.join('; '));
  }
  check.found.then((found) => (found === 'ok' ? onSound() : onFault(damaged(file, found.join('; ')))), onFault);
}

function damaged(file: string, reason: string, cause?: unknown): SqliteOpenError {
  return new SqliteOpenError('damaged', damageText(file, reason), { cause });
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

const UNCLEAN_END = 'The last server did not stop cleanly: the next one checks the database when it starts';

/** After this time, the job of a server should have cleared the file. */
const CLEARED_WITHIN_MS = 48 * 60 * 60 * 1_000;

function unclearedText({ erasures, since }: UnclearedSpace): string {
  return `Copies of values of ${erasures} erasures since ${since?.toISOString()} can still be in the free space of the file`;
}

/** Returns a line if the file should have been cleared by now. */
export function unclearedProblem(uncleared: UnclearedSpace, now: Date): string[] {
  const { since } = uncleared;
  if (since === null || now.getTime() - since.getTime() <= CLEARED_WITHIN_MS) return [];
  return [`${unclearedText(uncleared)}: run \`countersign clear-erased-space\``];
}

async function examine(file: string, now: Date = new Date()): Promise<Findings<DatabaseFacts | null>> {
  try {
    const storage = await createSqliteStorage({ file, migrate: false });
    try {
      const facts = await storage.inspect();
      const { integrity, sizeBytes, sqliteVersion, appliedMigrations } = facts;
      const isAfterUncleanEnd = endedUncleanly(file);
      const uncleared = await storage.erasedSpace.find();
      return {
        facts: { kind: 'sqlite', ...facts, isAfterUncleanEnd, uncleared },
        lines: [
          `Database ${facts.file}, ${sizeBytes} bytes, SQLite ${sqliteVersion}`,
          `Migrations ${appliedMigrations.join(', ')}`,
          ...(isAfterUncleanEnd ? [UNCLEAN_END] : []),
          ...(uncleared.since === null ? [] : [unclearedText(uncleared)]),
        ],
        problems: [
          ...(integrity === 'ok' ? [] : integrity.map((line) => damageText(facts.file, line))),
          ...unclearedProblem(uncleared, now),
        ],
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
