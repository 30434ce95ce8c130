import { CountersignError } from '@countersign/domain';
import postgres from 'postgres';

/**
 * An error of the server that is safe to log: `detail` and `parameters` of postgres.js's error would quote whole rows
 * of personal data.
 */
export class PostgresFault extends Error {
  override readonly name = 'PostgresFault';
  /** SQLSTATE, or Node's or postgres.js's code. */
  readonly code: string;
  /** The constraint that was violated, if any. */
  readonly constraint: string | undefined;

  constructor(code: string, message: string, constraint?: string) {
    super(message);
    this.code = code;
    this.constraint = constraint;
  }
}

/** Codes of temporary refusals without any effect: statement stopped, out of resources, a standby. */
const REFUSED_FOR_NOW = /^(?:57014|55P03|25006|40001|40P01|53...|57P0.|08...)$/;
/** The temporary refusals that a new connection may avoid. */
const NEEDS_ANOTHER_CONNECTION = /^(?:25006|57P0.|08...)$/;

/** Whether the server sent the error, with an SQLSTATE. Any other comes from the connection. */
export function isOfServer(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError;
}

export function faultOf(error: unknown): PostgresFault {
  if (isOfServer(error)) {
    // Class 22, data exceptions, quote the value in the message itself.
    const message = error.code.startsWith('22') ? `The database refused a value (${error.code})` : error.message;
    return new PostgresFault(error.code, message, error.constraint_name);
  }
  const code = codeOf(error);
  return new PostgresFault(code, `The connection to the database failed (${code})`);
}

/** Whether the connection is unusable. */
export function isConnectionLost(error: unknown): boolean {
  if (!isOfServer(error)) return true;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || NEEDS_ANOTHER_CONNECTION.test(error.code);
}

/** Codes of failed connection attempts. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
  'CONNECTION_NOT_MADE',
];

/** Whether the query never reached the server: there was no connection, or the server accepts no more. */
export function wasNeverSent(error: unknown): boolean {
  if (isOfServer(error)) return ['53300', '57P03'].includes(error.code);
  return NOT_CONNECTED.includes(codeOf(error));
}

export function isRefusedForNow(error: unknown): boolean {
  return isOfServer(error) && REFUSED_FOR_NOW.test(error.code);
}

export function unavailable(message: string, cause?: unknown): CountersignError {
  return new CountersignError(
    'SERVICE_UNAVAILABLE',
    message,
    cause === undefined ? {} : { cause: faultOf(cause) },
  );
}

/** Whether the server ended the statement to end a deadlock. It changed nothing. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof CountersignError && codeOf(error.cause) === '40P01';
}

/**
 * The suffix of constraint names in a distributed table: the number of the shard (Citus) or partition
 * (docs/operations.md).
 */
const PART = /_\d+$/;

/** Returns the name of the violated constraint; null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof PostgresFault) || !error.code.startsWith('23')) return null;
  return error.constraint?.replace(PART, '') ?? null;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
