import type postgres from 'postgres';
import { postgresDriver } from './drivers.ts';
import { within } from './patience.ts';
import { storeFault } from './shared-rate-limiter.ts';

export interface PostgresPoolOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly namedStatements: boolean;
  readonly deadlineMs: number;
  readonly applicationName: string;
}

export interface PostgresPool {
  /** Rejects with one clear line, at the deadline at the latest. */
  run<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T>;
  /** Replaces the connections, because their other end may be gone. Does nothing if it just did. */
  renew(): void;
  close(): Promise<void>;
}

const CONNECT_WITHIN_SECONDS = 2;
/** Of a server that is frozen it is not known whether it has ended the connections given up. They are not to pile up. */
const RENEW_EVERY_MS = 5_000;

/** Connections to Postgres, made when needed and made again when they break. */
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
    // Its error quotes the URL, with the password.
    throw new TypeError(wrong);
  }
}
