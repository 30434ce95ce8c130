import net from 'node:net';
import postgres from 'postgres';
import { PostgresOpenError } from '../errors.ts';

/** One connection to the database. A lost connection is never reopened; the pool opens another. */
export interface Connection {
  /** Run queries with `unsafe` only: `begin` can end the process when its backend dies. */
  readonly sql: postgres.Sql;
  /** Closes the connection, waiting at most a second for the server. */
  end(): Promise<void>;
  /** Drops the connection immediately, running queries included. */
  destroy(): void;
}

export interface ConnectionOptions {
  readonly target: Target;
  readonly applicationName: string;
  /** Called once, when the connection is lost. */
  readonly onLost?: () => void;
}

/** Deadline for connecting and signing in together. */
const CONNECT_TIMEOUT_S = 3;
const GOODBYE_S = 1;

const same = (value: unknown): unknown => value;

/**
 * Opens postgres.js with one connection over our own socket. Its reconnecting is never used: a message written while
 * the
 * connection closes stays in its buffer, goes out before the next greeting and blocks that connection (3.4.9: `chunk`
 * and
 * `nextWriteTimer` outlive `closed()`), and it waits forever for a frozen server.
 */
export function connectOnce({ target, applicationName, onLost }: ConnectionOptions): Connection {
  let socket: net.Socket | undefined;
  let isOver = false;

  function makeSocket(): net.Socket {
    // postgres.js asks for a second socket when the first closed before the server's greeting.
    if (isOver || socket !== undefined) throw Object.assign(new Error('closed'), { code: 'CONNECTION_NOT_MADE' });
    socket = net.connect({ host: target.host, port: target.port, noDelay: true });
    // postgres.js takes the name for the certificate from here.
    return Object.assign(socket, { host: target.host, port: target.port });
  }

  function destroy(): void {
    isOver = true;
    socket?.destroy();
    // Rejects queries that are still queued. There is nothing to wait for.
    void sql.end({ timeout: 0 });
  }

  // The types do not know that a socket may be passed while it is still connecting.
  const ownSocket = { socket: makeSocket } as object;
  const sql = postgres(target.url, {
    ...ownSocket,
    max: 1,
    fetch_types: false,
    connect_timeout: CONNECT_TIMEOUT_S,
    // The pool decides about lifetimes.
    idle_timeout: 0,
    max_lifetime: null,
    keep_alive: 30,
    connection: {
      application_name: applicationName,
      // Row parsing relies on these settings. PgBouncer keeps both for each client.
      DateStyle: 'ISO',
      TimeZone: 'UTC',
    },
    // Values travel as text: rows are parsed by this package, and JSON parameters are written before postgres.js sees
    // them, because an error while it builds a message would reject another query.
    types: {
      date: { to: 1184, from: [1184], serialize: same, parse: same },
      json: { to: 114, from: [], serialize: same, parse: same },
      jsonb: { to: 3802, from: [], serialize: same, parse: same },
      bytea: { to: 17, from: [], serialize: same, parse: same },
    },
    onnotice: () => undefined,
    onclose: () => {
      if (isOver) return;
      destroy();
      onLost?.();
    },
  });

  return {
    sql,
    async end() {
      isOver = true;
      await sql.end({ timeout: GOODBYE_S });
      socket?.destroy();
    },
    destroy,
  };
}

/** The address of a database. Everything except `url` may be logged. */
export interface Target {
  /** The URL as configured, with the password. */
  readonly url: string;
  /** `host:port`. */
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

const DEFAULT_PORT = 5432;
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-full'];

/**
 * Parses a connection URL. Its only parameter is `sslmode`, with the values of postgres.js: disable, allow, prefer,
 * require, verify-full. postgres.js would send any other parameter to the server, which refuses it.
 * @throws PostgresOpenError `invalid_url`
 */
export function targetOf(url: string): Target {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    throw invalid('it has to look like postgres://user:password@host:5432/database');
  }
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  if (host === '') throw invalid('it names no host');
  if (host.includes(',')) throw invalid('it names several hosts, and one is needed');
  for (const [name, value] of parsed.searchParams) {
    if (name !== 'sslmode') throw invalid(`it has the parameter ${printable(name)}, and only sslmode is known`);
    if (!SSL_MODES.includes(value)) throw invalid(`its sslmode has to be one of ${SSL_MODES.join(', ')}`);
  }
  const port = parsed.port === '' ? DEFAULT_PORT : Number(parsed.port);
  const user = decoded(parsed.username);
  if (user === '') throw invalid('it names no user');
  const database = decoded(parsed.pathname.slice(1)) || user;
  return { url, address: `${parsed.hostname}:${port}`, host, port, user, database };
}

/** Makes a name safe to print: replaces unusual characters and shortens it. */
function printable(name: string): string {
  return name.replace(/[^\w.-]/g, '?').slice(0, 40);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The message must not quote the URL, which holds the password.
    throw invalid('it has a % that encodes nothing');
  }
}

function invalid(why: string): PostgresOpenError {
  return new PostgresOpenError('invalid_url', `The database URL cannot be used: ${why}`);
}
