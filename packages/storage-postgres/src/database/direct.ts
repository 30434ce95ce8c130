import { connectOnce, type Target } from '../connection/connect-once.ts';
import { codeOf, faultOf } from '../connection/faults.ts';
import { PostgresOpenError, type PostgresOpenErrorCode } from '../errors.ts';
import type { Row } from '../rows/parse-row.ts';

/**
 * A single connection for migrations and checks, with simple queries only: several statements in one query are one
 * transaction.
 */
export interface Direct {
  /**
   * Returns the rows of the last statement. `deadlineMs` allows slow statements more time.
   * @throws the errors of postgres.js, and PostgresOpenError `unreachable` at the deadline
   */
  run(sql: string, deadlineMs?: number): Promise<readonly Row[]>;
}

const DEADLINE_MS = 5_000;

/**
 * Connects, runs `work` and closes the connection.
 * @throws PostgresOpenError for a fault of the database that has a code
 */
export async function withDirect<T>(
  options: { target: Target; applicationName: string },
  work: (direct: Direct) => Promise<T>,
): Promise<T> {
  const connection = connectOnce(options);
  const direct: Direct = {
    run: (sql, deadlineMs = DEADLINE_MS) =>
      inTime(connection.sql.unsafe(sql).values(), deadlineMs, options.target.address),
  };
  try {
    return await work(direct);
  } catch (error) {
    throw openError(error, options.target);
  } finally {
    await connection.end();
  }
}

/** Rejects at the deadline, because a frozen server or a locked table would block forever. */
async function inTime<T>(answer: Promise<T>, deadlineMs: number, address: string): Promise<T> {
  if (deadlineMs === Number.POSITIVE_INFINITY) return await answer;
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const message = `The database at ${address} did not answer within ${deadlineMs / 1000} s`;
  const timer = setTimeout(() => reject(new PostgresOpenError('unreachable', message)), deadlineMs);
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Turns an error of opening a database into one with a clear message. Unknown errors stay as they are. */
function openError(error: unknown, target: Target): unknown {
  if (error instanceof PostgresOpenError) return error;
  const explanation = explanationOf(error, target);
  if (explanation === null) return error;
  const [code, message] = explanation;
  return new PostgresOpenError(code, message, { cause: faultOf(error) });
}

function explanationOf(error: unknown, target: Target): [PostgresOpenErrorCode, string] | null {
  const { address, user, database } = target;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  if (isAboutTls(code, message))
    return ['tls_failed', `No encrypted connection to ${address}: ${tlsReason(code, message)}`];
  switch (code) {
    case 'ECONNREFUSED':
      return ['unreachable', `Nothing answers at ${address}: the connection was refused`];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return ['unreachable', `The database host ${target.host} is not known`];
    case 'CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return ['unreachable', `Nothing answers at ${address} in time`];
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ECONNRESET':
    case 'EPIPE':
    case 'CONNECTION_CLOSED':
    case 'CONNECTION_DESTROYED':
    case 'CONNECTION_NOT_MADE':
      return ['unreachable', `The connection to ${address} failed (${code})`];
    case '57P03':
    case '53300':
      return ['unreachable', `The database at ${address} takes no connections now (${code})`];
    case '28P01':
    case '28000':
      return /no encryption|SSL off/i.test(message)
        ? [
            'tls_required',
            `The database at ${address} takes encrypted connections only: add ?sslmode=require to its URL`,
          ]
        : [
            'access_denied',
            `The database at ${address} does not let in user ${user}: name or password is wrong, or it is not allowed to`,
          ];
    case '3D000':
      return ['database_missing', `There is no database ${database} at ${address}: create it first`];
    case '42501':
    case '3F000':
      return ['no_permission', `User ${user} may not create tables in database ${database} at ${address}`];
    default:
      return null;
  }
}

function isAboutTls(code: string, message: string): boolean {
  return (
    /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_OSSL)/.test(code) ||
    /TLS connection/.test(message)
  );
}

function tlsReason(code: string, message: string): string {
  // Node's error if the server closes the connection during the handshake, because it has no TLS.
  return /before secure TLS connection/.test(message)
    ? 'the server does not offer it'
    : `its certificate is not trusted (${code})`;
}
