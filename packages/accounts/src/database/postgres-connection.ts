import { CountersignError } from '@countersign/domain';
import type pg from 'pg';
import { AccountsFault } from '../errors.ts';
import { codeOf } from './error-code.ts';

export const CONNECT_WITHIN_MS = 2_500;
const DEADLINE_MS = 5_000;
const CONNECTIONS = 3;

type Tls = pg.ClientConfig['ssl'];

/**
 * How to reach a server, as the storage's driver understands `sslmode`: `require` encrypts and trusts any certificate,
 * `verify-full` wants a trusted one. Without TLS or with it: where there are two, the first that works.
 */
export function waysTo(url: string): { connectionString: string; ssl: Tls }[] {
  const address = new URL(url);
  const mode = address.searchParams.get('sslmode');
  // pg has an understanding of its own of this one.
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

export async function createPostgresPool(way: { connectionString: string; ssl: Tls }): Promise<pg.Pool> {
  const { Pool } = (await import('pg')).default;
  const pool = new Pool({
    ...way,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: DEADLINE_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'countersign accounts',
  });
  // A backend that dies is no fault of ours: the pool drops its connection and makes another. Unheard, it ends the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Whether the connection is of no more use. Whatever the server did not say itself is about the connection. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return !/^[0-9A-Z]{5}$/.test(code) || /^(?:08|25006|57P)/.test(code);
}

/** What may be told of a driver's error: not `detail`, and no message that quotes a value. */
export function faultOf(error: unknown): Error {
  const code = codeOf(error);
  if (isConnectionLost(error) || /^(?:53|57014|55P03|40001|40P01)/.test(code)) {
    const cause = new AccountsFault(code, `The connection to the database failed (${code})`);
    return new CountersignError('SERVICE_UNAVAILABLE', 'The database does not answer', { cause });
  }
  return new AccountsFault(code, `The database refused a statement (${code})`);
}
