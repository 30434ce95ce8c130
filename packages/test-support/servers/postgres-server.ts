import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { type OwnPostgres, ownPostgres } from './own-postgres.ts';
import type { PostgresOptions } from './postgres-options.ts';
import { sharedUrl } from './shared-postgres.ts';

export interface PostgresServer {
  /** The id of its main process; undefined for a shared server. */
  readonly pid: number | undefined;
  /** Creates a database, empty or a copy of the database at `template`, and returns its URL. */
  createDatabase(template?: string): Promise<string>;
  /** Suspends all its processes (SIGSTOP): connections stay open, but get no answers. */
  freeze(): void;
  thaw(): void;
  /** Kills all its processes (SIGKILL). `restart` starts it again. */
  kill(): Promise<void>;
  /** Stops it if it runs and starts it on the same port with the same data. */
  restart(): Promise<void>;
  /** Stops it and drops the databases that it created. */
  stop(): Promise<void>;
}

/**
 * Returns a Postgres: the server of TEST_POSTGRES_URL, the shared server of the test run when fsync is off, or a new server
 * that ends with this process at the latest.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const existing = process.env.TEST_POSTGRES_URL || (options.fsync === false ? sharedUrl() : undefined);
  const { url, ...server }: Omit<OwnPostgres, 'port' | 'data'> =
    existing && !options.own && options.settings === undefined && options.installation === undefined
      ? foreign(existing)
      : await ownPostgres(options);
  const made: string[] = [];

  return {
    get pid() {
      return server.pid();
    },
    async createDatabase(template) {
      const name = `test_${randomBytes(6).toString('hex')}`;
      const copy = template === undefined ? '' : ` TEMPLATE "${databaseOf(template)}"`;
      // Copies the files. By default Postgres writes each page of the copy to its log, which takes five times as much CPU.
      await execute(url, `CREATE DATABASE "${name}"${copy} STRATEGY FILE_COPY`);
      made.push(name);
      const its = new URL(url);
      its.pathname = `/${name}`;
      return its.href;
    },
    freeze: server.freeze,
    thaw: server.thaw,
    kill: server.kill,
    restart: server.restart,
    async stop() {
      // Removing our own server also removes its databases.
      if (server.pid() === undefined) {
        for (const name of made.splice(0)) await execute(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      }
      await server.stop();
    },
  };
}

function foreign(url: string): Omit<OwnPostgres, 'port' | 'data'> {
  const refuse = (): never => {
    throw new Error('a shared server must not be stopped: start one with { own: true }');
  };
  return {
    url,
    pid: () => undefined,
    freeze: refuse,
    thaw: refuse,
    kill: async () => refuse(),
    restart: async () => refuse(),
    stop: async () => undefined,
  };
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

async function execute(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
