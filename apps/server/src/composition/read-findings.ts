import { isOpenError } from '../database/choose-database.ts';
import type { Database } from '../database/database.ts';
import type { Findings } from '../database/findings.ts';

type Readable = Pick<Database, 'openToRead'>;

/**
 * Opens a database to examine it, and closes it again. One that cannot be opened is a problem.
 * @param database undefined when the database has a problem that is reported elsewhere
 */
export async function findingsIn<F>(
  database: Readable | undefined,
  examine: (storage: Awaited<ReturnType<Readable['openToRead']>>) => Promise<Findings<F>>,
): Promise<Findings<F>> {
  if (database === undefined) return { facts: null, lines: [], problems: [] };
  let storage: Awaited<ReturnType<Readable['openToRead']>>;
  try {
    storage = await database.openToRead();
  } catch (error) {
    if (!isOpenError(error)) throw error;
    return { facts: null, lines: [], problems: [error.message] };
  }
  try {
    return await examine(storage);
  } finally {
    await storage.close();
  }
}
