import { CountersignError } from '@countersign/domain';
import type pg from 'pg';
import { AccountsFault, codeOf } from '../errors.ts';

export const CONNECT_WITHIN_MS = 2_500;
const DEADLINE_MS = 5_000;
const CONNECTIONS = 3;

type Tls = pg.ClientConfig['ssl'];

/**
 * Returns the options to try, in order. `sslmode` has the same meaning as for the storage's driver: `require` encrypts
 * and trusts any certificate, `verify-full` requires a trusted one.
 */
export function connectionOptions(url: string): { connectionString: string; ssl: Tls }[] {
  const address = new URL(url);
  const mode = address.searchParams.get('sslmode');
  // pg would interpret it differently.
  address.searchParams.delete('sslmode');
  return tlsFor(mode).map((ssl) => ({ connectionString: address.href, ssl }));
}

function tlsFor(mode: string | null): Tls[] {
  const anyCertificate = { rejectUnauthorized: false };
  switch (mode) {
    case 'verify-full':
      return [true];
    case 'require':
      return [anyCertificate];
    case 'prefer':
      return [anyCertificate, false];
    case 'allow':
      return [false, anyCertificate];
    default:
      return [false];
  }
}

export async function createPostgresPool(options: { connectionString: string; ssl: Tls }): Promise<pg.Pool> {
  const { Pool } = (await import('pg')).default;
  const pool = new Pool({
    ...options,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: DEADLINE_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'countersign accounts',
  });
  // The pool replaces a connection whose backend died. Without a listener, the error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Whether the connection is lost. An error without an SQLSTATE comes from the connection, not from the server. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return !/^[0-9A-Z]{5}$/.test(code) || /^(?:08|25006|57P)/.test(code);
}

/** Converts a driver's error into one that is safe to log, without `detail` and without quoted values. */
export function faultOf(error: unknown): Error {
  const code = codeOf(error);
  if (isConnectionLost(error) || /^(?:53|57014|55P03|40001|40P01)/.test(code)) {
    const cause = new AccountsFault(code, `The connection to the database failed (${code})`);
    return new CountersignError('SERVICE_UNAVAILABLE', 'The database does not answer', { cause });
  }
  return new AccountsFault(code, `The database refused a statement (${code})`);
}
