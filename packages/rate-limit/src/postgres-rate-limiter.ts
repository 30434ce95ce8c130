import { decide } from './local-counts.ts';
import { createPostgresPool } from './postgres-pool.ts';
import { createTable, deleteEnded, TABLE } from './postgres-table.ts';
import { PING, type SharedRateLimiter } from './shared-rate-limiter.ts';

export interface PostgresRateLimiterOptions {
  readonly url: string;
  /** Connections at most. Default: 2, which count faster than a process asks: fewer answers come in more at a time. */
  readonly poolSize?: number;
  /** Whether statements stay prepared on their connection; false behind PgBouncer in transaction mode. Default: true. */
  readonly namedStatements?: boolean;
  /** Milliseconds after which a statement counts as failed. Default: 1,000. */
  readonly deadlineMs?: number;
  /** Milliseconds between deletions of windows that have ended. Default: 60,000. */
  readonly deleteEveryMs?: number;
  /** Default: `countersign-rate-limit`. */
  readonly applicationName?: string;
}

/**
 * `$1` the bucket, `$2` seconds of a window that begins. The window's time is the database's, the only clock that all
 * instances share (rate-limiter-flexible takes each instance's own, so that one which is late resets the count of all).
 * `excluded.ends_at` is computed once for the whole statement: count and end never disagree about which window it is.
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

/**
 * Counts in Postgres, for any number of instances: one statement a request, in an unlogged table of its own that it
 * makes if need be (in the first schema of the search path). A crash of the database empties the table.
 *
 * @throws {TypeError} if the URL is not one of Postgres. That none answers there is no error here, but of each call.
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
    async ping() {
      try {
        await consume(PING.bucket, PING.limit);
      } catch (error) {
        // Somebody may have dropped the table: look again the next time.
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
