import { connectOnce } from '../connection/connect-once.ts';
import type { Target } from '../connection/target.ts';
import { PostgresOpenError } from '../errors.ts';
import type { Row } from '../rows/parse-row.ts';
import { openError } from './open-errors.ts';

/** One connection for what comes before the pool, with simple queries only: several statements are one transaction. */
export interface Direct {
  /**
   * The rows of the last statement. `deadlineMs` is for what may take longer than a look.
   * @throws whatever postgres.js does, and PostgresOpenError `unreachable` at the deadline
   */
  run(sql: string, deadlineMs?: number): Promise<readonly Row[]>;
}

const DEADLINE_MS = 5_000;

/**
 * Connects, works and says goodbye.
 * @throws PostgresOpenError for whatever is the database's, if it has a code of its own
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

/** A server that is frozen, or a table that somebody has locked, would be waited for without an end. */
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
