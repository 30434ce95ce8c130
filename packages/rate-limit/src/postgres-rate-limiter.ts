import { decide } from './local-counts.ts';
import { createPostgresPool } from './postgres-pool.ts';
import { createTable, deleteEnded, TABLE } from './postgres-table.ts';
import { PING, type SharedRateLimiter } from './shared-rate-limiter.ts';

/** Options of `createPostgresRateLimiter`. */
export interface PostgresRateLimiterOptions {
  readonly url: string;
  /** Maximum number of connections. Default: 2, which count faster than one process sends requests. */
  readonly poolSize?: number;
  /**
   * Whether statements stay prepared on their connection; false behind PgBouncer in transaction mode. Default: true.
   */
  readonly namedStatements?: boolean;
  /** Milliseconds after which a statement fails. Default: 1,000. */
  readonly deadlineMs?: number;
  /** Milliseconds between deletions of windows that have ended. Default: 60,000. */
  readonly deleteEveryMs?: number;
  /** Default: `countersign-rate-limit`. */
  readonly applicationName?: string;
}

/**
 * `$1` is the bucket, `$2` the length of a new window in seconds. Windows use the database's clock, which all instances
 * share (rate-limiter-flexible uses the clock of each instance, so that a slow clock resets the count of all).
 * `excluded.ends_at` is computed once for the statement, so count and end belong to the same window.
 */
const COUNT = `
INSERT INTO ${TABLE} AS held (bucket, count, ends_at)
VALUES ($1::text, 1, date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $2::integer))
ON CONFLICT (bucket) DO UPDATE SET
  count = CASE WHEN held.ends_at <= excluded.ends_at - make_interval(secs => $2::integer)
    THEN 1 ELSE held.count + 1 END,
  ends_at = CASE WHEN held.ends_at <= excluded.ends_at - make_interval(secs => $2::integer)
    THEN excluded.ends_at ELSE held.ends_at END
RETURNING count, ends_at`;

/** `$1` is the bucket. */
const GIVE_BACK = `
UPDATE ${TABLE} SET count = count - 1 WHERE bucket = $1::text AND count > 0 AND ends_at > clock_timestamp()`;

/** How long creating the table may take, in milliseconds. */
const CREATE_WITHIN_MS = 10_000;

/**
 * Creates the table of the limiter if it is missing, for servers whose role may not create tables.
 * @throws {TypeError} if the URL is not a Postgres URL
 * @throws {Error} with a message of one line, if the server does not answer or the user may not create tables
 */
export async function createRateLimitTable({ url }: Pick<PostgresRateLimiterOptions, 'url'>): Promise<void> {
  const applicationName = 'countersign-migrate';
  const options = { poolSize: 1, namedStatements: false, deadlineMs: CREATE_WITHIN_MS, applicationName };
  const pool = createPostgresPool({ url, ...options });
  try {
    await pool.run(createTable);
  } finally {
    await pool.close();
  }
}

/**
 * Counts in Postgres for any number of instances, with one statement for each request. Creates an unlogged table if it
 * is missing, in the first schema of the search path. A crash of the database empties the table.
 *
 * @throws {TypeError} if the URL is not a Postgres URL. An unreachable server makes each call reject instead.
 */
export function createPostgresRateLimiter({
  url,
  poolSize = 2,
  namedStatements = true,
  deadlineMs = 1_000,
  deleteEveryMs = 60_000,
  applicationName = 'countersign-rate-limit',
}: PostgresRateLimiterOptions): SharedRateLimiter {
  const pool = createPostgresPool({ url, poolSize, namedStatements, deadlineMs, applicationName });

  let table: Promise<void> | undefined;
  const ready = () => {
    table ??= pool.run(createTable).catch((error: unknown) => {
      table = undefined;
      throw error;
    });
    return table;
  };

  const consume: SharedRateLimiter['consume'] = async (bucket, limit) => {
    await ready();
    const [row] = await pool.run((sql) =>
      sql.unsafe<{ count: number; ends_at: Date }[]>(COUNT, [bucket, limit.windowSeconds], {
        prepare: namedStatements,
      }),
    );
    if (row === undefined) throw new Error('an upsert returned no row');
    return decide(row.count, limit, row.ends_at);
  };

  const deleting = setInterval(() => {
    // The next cleanup deletes the rest; requests and `ping` report faults of the store.
    pool.run(deleteEnded).catch(() => undefined);
  }, deleteEveryMs);
  deleting.unref();

  return {
    consume,
    async giveBack(bucket) {
      await ready();
      await pool.run((sql) => sql.unsafe(GIVE_BACK, [bucket], { prepare: namedStatements }));
    },
    async ping() {
      try {
        await consume(PING.bucket, PING.limit);
      } catch (error) {
        // The table may have been dropped: the next call checks again.
        table = undefined;
        pool.renew();
        throw error;
      }
    },
    async close() {
      clearInterval(deleting);
      await pool.close();
    },
  };
}
