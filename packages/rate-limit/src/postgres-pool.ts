import type postgres from 'postgres';
import { postgresDriver } from './drivers.ts';
import { storeFault } from './shared-rate-limiter.ts';
import { within } from './store-down-detector.ts';

export interface PostgresPoolOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly namedStatements: boolean;
  readonly deadlineMs: number;
  readonly applicationName: string;
}

export interface PostgresPool {
  /** Rejects with a message of one line, at the deadline at the latest. */
  run<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T>;
  /** Replaces the connections, because their other end may be gone. Does nothing if they were just replaced. */
  renew(): void;
  close(): Promise<void>;
}

const CONNECT_WITHIN_SECONDS = 2;
/** A frozen server may still hold connections that were given up. The pause between replacements keeps them few. */
const RENEW_EVERY_MS = 5_000;

/** Connections to Postgres, opened on demand and replaced when they break. */
export function createPostgresPool(options: PostgresPoolOptions): PostgresPool {
  let sql = connect(options);
  let renewed = Number.NEGATIVE_INFINITY;

  return {
    async run(work) {
      try {
        return await within(options.deadlineMs, work(sql));
      } catch (error) {
        throw storeFault('Postgres', error);
      }
    },
    renew() {
      if (performance.now() - renewed < RENEW_EVERY_MS) return;
      const old = sql;
      sql = connect(options);
      renewed = performance.now();
      void old.end({ timeout: 0 });
    },
    close: () => sql.end({ timeout: options.deadlineMs / 1000 }),
  };
}

function connect({ url, poolSize, namedStatements, applicationName }: PostgresPoolOptions): postgres.Sql {
  const wrong = 'the URL of Postgres must begin with postgres://';
  if (!/^postgres(?:ql)?:\/\/./.test(url)) throw new TypeError(wrong);
  try {
    return postgresDriver()(url, {
      max: poolSize,
      prepare: namedStatements,
      fetch_types: false,
      connect_timeout: CONNECT_WITHIN_SECONDS,
      // Seconds. The default grows to 20: a pool whose backends end repeatedly would be unusable for that time.
      backoff: () => 0.05,
      connection: { application_name: applicationName },
      onnotice: () => undefined,
    });
  } catch {
    // The error quotes the URL with the password.
    throw new TypeError(wrong);
  }
}
