import { join } from 'node:path';
import { migrateAccounts, moveUsersToLiveClients } from '@countersign/accounts';
import { isCountersignError } from '@countersign/domain';
import { createPostgresRateLimiter, createRateLimitTable } from '@countersign/rate-limit';
import {
  connectPostgres,
  createPostgresStorage,
  inspectPostgres,
  migratePostgres,
  POSTGRES_MIGRATIONS,
  type PostgresFacts,
  PostgresOpenError,
} from '@countersign/storage-postgres';
import type { PostgresSettings } from '../config/database-settings.ts';
import { placeOf } from '../config/server-urls.ts';
import type { BackedUpDatabase, BackupOptions, Database, DatabaseFacts } from './database.ts';
import { dumpPostgres } from './dump-postgres.ts';
import {
  beginReplacingFiles,
  beginServingFiles,
  requireFinishedRestore,
  restoreMarkIn,
  unfinishedRestoreIn,
} from './evidence-in-use.ts';
import { clockProblem, clockText, type Findings } from './findings.ts';
import { DUMP_FILE, newerVersionText } from './manifest.ts';
import { whenReachable } from './when-reachable.ts';
import { wrappingKeysOf } from './wrapping-keys.ts';

/** How long a statement of a command that only reads may take, in ms: `doctor` counts all verifications of a client. */
const SLOW_READ_MS = 60_000;

/** Creates the access to a PostgreSQL database. Any number of servers can use it at once. */
export function createPostgresDatabase(
  { url, directUrl, poolSize, namedStatements }: PostgresSettings,
  { migrate, dataDir, evidenceDir }: { migrate: boolean; dataDir: string; evidenceDir: string | undefined },
): Database {
  const options = { url, directUrl, poolSize, namedStatements };
  const markFolder = evidenceDir ?? dataDir;
  const open = () => createPostgresStorage({ ...options, migrate });
  const openToRead = () => createPostgresStorage({ ...options, migrate: false, deadlineMs: SLOW_READ_MS });
  const accounts = { kind: 'postgres', connections: connectPostgres(options) } as const;
  return {
    kind: 'postgres',
    place: placeOf(url),
    accounts,
    open,
    openToRead,
    isServed: () => undefined,
    explained: (error) => error,
    async openForServing({ onFault }) {
      const storage = await open();
      try {
        // A restore replaces no file of a bucket.
        const use = evidenceDir === undefined ? undefined : await beginServingFiles(evidenceDir, onFault);
        return {
          ...storage,
          accounts: { kind: 'postgres', connections: storage.connections },
          async ping() {
            await requireFinishedRestore(markFolder);
            await storage.ping();
          },
          async close() {
            try {
              await storage.close();
            } finally {
              await use?.end();
            }
          },
        };
      } catch (error) {
        await storage.close();
        throw error;
      }
    },
    async migrate({ waitMs = 0 } = {}) {
      const own = await whenReachable(() => migratePostgres({ url, directUrl }), { waitMs });
      const applied = [...own, ...(await migrateAccounts(accounts))];
      await moveUsersToLiveClients(accounts);
      // Servers count for themselves without it, and `doctor` names the right.
      await createRateLimitTable({ url: directUrl ?? url }).catch(() => undefined);
      return applied;
    },
    async examine() {
      const found = await examine(options);
      const unfinished = await unfinishedRestoreIn(markFolder);
      return unfinished === undefined ? found : { ...found, problems: [unfinished, ...found.problems] };
    },
    // pg_dump compresses, so its size is not known before.
    sizeBytes: () => Promise.resolve(0),
    backUp: (directory, backup) => backUp({ url: directUrl ?? url, openToRead }, directory, backup),
    async inspectBackup(_directory, manifest) {
      const { secrets, database } = manifest;
      if (database.migrations.some((name) => !POSTGRES_MIGRATIONS.includes(name))) {
        return { problems: [newerVersionText(manifest)], wrappedBy: [], open: undefined };
      }
      try {
        const storage = await openToRead();
        try {
          return { problems: [], wrappedBy: [...(await wrappingKeysOf(storage))], open: openToRead };
        } finally {
          await storage.close();
        }
      } catch (error) {
        if (!(error instanceof PostgresOpenError)) throw error;
        const notReady = `${error.message}. First restore ${DUMP_FILE} with pg_restore`;
        return { problems: [], wrappedBy: secrets.inUse, open: undefined, notReady };
      }
    },
    replacement: {
      async lock() {
        if (evidenceDir === undefined) return { release: async () => undefined };
        const use = await beginReplacingFiles(evidenceDir, placeOf(url));
        return { release: use.end };
      },
      markFile: restoreMarkIn(markFolder),
      files: [],
    },
    createRateLimiter: () => createPostgresRateLimiter({ url, namedStatements }),
  };
}

async function backUp(
  { url, openToRead }: { readonly url: string; readonly openToRead: Database['openToRead'] },
  directory: string,
  { evidenceOnly, onProgress, environment }: BackupOptions,
): Promise<BackedUpDatabase> {
  const storage = await openToRead();
  try {
    const wrappedBy = new Set(await wrappingKeysOf(storage));
    if (!evidenceOnly) {
      onProgress({ doing: 'running pg_dump', done: 0, total: 1 });
      await dumpPostgres({ url, file: join(directory, DUMP_FILE), environment });
      onProgress({ doing: 'running pg_dump', done: 1, total: 1 });
    }
    // Read again: a rotation may have been running.
    for (const key of await wrappingKeysOf(storage)) wrappedBy.add(key);
    const { appliedMigrations } = await inspectPostgres({ url });
    const file = evidenceOnly ? null : DUMP_FILE;
    return {
      database: { kind: 'postgres', file, migrations: [...appliedMigrations] },
      wrappedBy: [...wrappedBy].sort(),
    };
  } finally {
    await storage.close();
  }
}

async function examine(options: Omit<PostgresSettings, 'kind'>): Promise<Findings<DatabaseFacts | null>> {
  try {
    const facts = await inspectPostgres(options);
    return { facts: { kind: 'postgres', ...facts }, lines: linesOf(facts), problems: problemsOf(facts) };
  } catch (error) {
    if (error instanceof PostgresOpenError || isCountersignError(error, 'SERVICE_UNAVAILABLE')) {
      return { facts: null, lines: [], problems: [error.message] };
    }
    throw error;
  }
}

function linesOf(facts: PostgresFacts): string[] {
  const { host, database, user, serverVersion, appliedMigrations, poolSize, direct } = facts;
  return [
    `Database ${host}/${database} as ${user}, PostgreSQL ${serverVersion}, at most ${poolSize} connections`,
    ...(direct.host === host ? [] : [`Direct connection ${direct.host}`]),
    `Migrations ${appliedMigrations.join(', ') || 'none'}`,
    clockText('the database', facts),
  ];
}

function problemsOf(facts: PostgresFacts): string[] {
  const { direct, pendingMigrations } = facts;
  const problems = clockProblem('the database', facts);
  if (!direct.isReachable)
    problems.push(`Could not connect to ${direct.host} for migrations: check DATABASE_DIRECT_URL`);
  if (pendingMigrations.length > 0)
    problems.push(`Migrations are pending, run countersign migrate: ${pendingMigrations.join(', ')}`);
  return problems;
}
