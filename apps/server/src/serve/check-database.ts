import type { CheckedTables } from '@countersign/storage-sqlite';
import type { Log } from '../logging/log.ts';
import type { Job } from './jobs.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Makes the job that checks the SQLite file table by table, after the start and then once a day: a damaged page that no request reads would
 * otherwise be found after the last backup without the damage was deleted. Damage stops writes, which the storage reports; the run fails.
 */
export function checkDatabaseJob(
  checkTables: (options: { readonly signal: AbortSignal }) => Promise<CheckedTables>,
  log: Pick<Log, 'event'>,
): Job {
  const stopping = new AbortController();

  async function run(): Promise<void> {
    const checked = await checkTables({ signal: stopping.signal });
    if (checked.outcome === 'damaged') throw new Error('The database is damaged');
    if (checked.outcome === 'sound') log.event('checked the database', { count: checked.tables });
  }

  return { name: 'check_database', run, interval: { everyMs: DAY_MS }, stop: () => stopping.abort() };
}
