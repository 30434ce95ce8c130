import { PostgresOpenError } from '../errors.ts';

/** Where a database is, as far as it may be told: no password. */
export interface Target {
  /** As it was given. Holds the password. */
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
 * Reads a connection URL. The one parameter it may have is `sslmode`, which is understood as postgres.js does: disable,
 * allow, prefer, require, verify-full. postgres.js would send any other to the server, which refuses it.
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

/** On one line, and not long. */
function printable(name: string): string {
  return name.replace(/[^\w.-]/g, '?').slice(0, 40);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // What is told must not quote the URL.
    throw invalid('it has a % that encodes nothing');
  }
}

function invalid(why: string): PostgresOpenError {
  return new PostgresOpenError('invalid_url', `The database URL cannot be used: ${why}`);
}
