import { migrateAccounts } from '@countersign/accounts';
import { isCountersignError } from '@countersign/domain';
import { createPostgresRateLimiter } from '@countersign/rate-limit';
import {
  createPostgresStorage,
  inspectPostgres,
  migratePostgres,
  type PostgresFacts,
  PostgresOpenError,
} from '@countersign/storage-postgres';
import type { PostgresSettings } from '../config/database-settings.ts';
import { SettingError } from '../config/errors.ts';
import { placeOf } from '../config/server-urls.ts';
import type { Database, DatabaseFacts } from './database.ts';
import { clockProblem, clockText, type Findings } from './findings.ts';

/** Creates the access to a PostgreSQL database. Any number of servers can use it at once. */
export function createPostgresDatabase(
  { url, directUrl, poolSize, namedStatements }: PostgresSettings,
  { migrate }: { migrate: boolean },
): Database {
  const options = { url, directUrl, poolSize, namedStatements };
  const open = () => createPostgresStorage({ ...options, migrate });
  const accounts = { kind: 'postgres', url, directUrl } as const;
  return {
    kind: 'postgres',
    place: placeOf(url),
    accounts,
    open,
    openToRead: () => createPostgresStorage({ ...options, migrate: false }),
    openForServing: open,
    migrate: async () => [...(await migratePostgres({ url, directUrl })), ...(await migrateAccounts(accounts))],
    examine: () => examine(options),
    backUp: () =>
      Promise.reject(new SettingError('DATABASE_URL', 'is a PostgreSQL URL: use pg_dump to back it up')),
    createRateLimiter: () => createPostgresRateLimiter({ url, namedStatements }),
  };
}

async function examine(options: Omit<PostgresSettings, 'kind'>): Promise<Findings<DatabaseFacts>> {
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
