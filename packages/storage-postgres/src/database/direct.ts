import { connectOnce } from '../connection/connect-once.ts';
import type { Target } from '../connection/target.ts';
import type { Row } from '../rows/parse-row.ts';
import { openError } from './open-errors.ts';

/** One connection for what comes before the pool, with simple queries only: several statements are one transaction. */
export interface Direct {
  /** The rows of the last statement. @throws whatever postgres.js does */
  run(sql: string): Promise<readonly Row[]>;
}

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
    async run(sql) {
      return await connection.sql.unsafe(sql).values();
    },
  };
  try {
    return await work(direct);
  } catch (error) {
    throw openError(error, options.target);
  } finally {
    await connection.end();
  }
}
