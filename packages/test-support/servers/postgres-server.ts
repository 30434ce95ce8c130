import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { type OwnPostgres, ownPostgres } from './own-postgres.ts';
import type { PostgresOptions } from './postgres-options.ts';
import { sharedUrl } from './shared-postgres.ts';

export interface PostgresServer {
  /** Of the first of its processes; undefined if the server is not ours alone. */
  readonly pid: number | undefined;
  /** Makes a database, empty or a copy of the one behind the URL `template`, and returns its URL. */
  createDatabase(template?: string): Promise<string>;
  /** Stops all its processes where they stand (SIGSTOP): connections stay open, nothing is answered. */
  freeze(): void;
  thaw(): void;
  /** Ends all its processes hard (SIGKILL). `restart` brings it back. */
  kill(): Promise<void>;
  /** Ends it if it runs and starts it on the same port, with the same data. */
  restart(): Promise<void>;
  /** Ends it and removes all databases that it made. */
  stop(): Promise<void>;
}

/**
 * A real Postgres: the one of TEST_POSTGRES_URL, or that of the whole run where fsync is off; else one started here that
 * ends with this process at the latest.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const given = process.env.TEST_POSTGRES_URL || (options.fsync === false ? sharedUrl() : undefined);
  const { url, ...server } =
    given && !options.own && options.settings === undefined ? foreign(given) : await ownPostgres(options);
  const made: string[] = [];

  return {
    get pid() {
      return server.pid();
    },
    async createDatabase(template) {
      const name = `test_${randomBytes(6).toString('hex')}`;
      const copy = template === undefined ? '' : ` TEMPLATE "${databaseOf(template)}"`;
      await execute(url, `CREATE DATABASE "${name}"${copy}`);
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
      // A server of our own takes its databases with it.
      if (server.pid() === undefined) {
        for (const name of made.splice(0)) await execute(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      }
      await server.stop();
    },
  };
}

function foreign(url: string): OwnPostgres {
  const refuse = (): never => {
    throw new Error('the server is not ours alone, and not ours to stop: start one with { own: true }');
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
