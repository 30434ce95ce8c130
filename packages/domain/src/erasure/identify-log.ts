import { CountersignError } from '../errors.ts';
import type { Ids } from '../runtime.ts';
import type { ErasureLog } from './erasure.ts';
import type { RetentionRepository } from './retention-repository.ts';

const TEXTS = {
  missing:
    'The erasure log of the database is missing: its folder is empty or new, or its storage is not mounted. Put its newest copy in its place.',
  incomplete:
    'The erasure log lacks erasures of the database, so nothing is erased. Put its newest copy in its place.',
  other_log: 'The erasure log belongs to another database. Use the log of this database.',
  other_entries:
    'The erasure log names other erasures than the database: it belongs to another database. Use the log of this database.',
} as const;

/**
 * Why a log is not the erasure log of a database: the database knows a log and this one is new (`missing`), lacks
 * its newest entries (`incomplete`), has another id (`other_log`), or has no id in common and its last common entry differs (`other_entries`).
 */
export type ErasureLogProblem = keyof typeof TEXTS;

/** Refuses an erasure log that is incomplete or belongs to another database. */
export class ErasureLogMismatch extends CountersignError {
  readonly problem: ErasureLogProblem;

  constructor(problem: ErasureLogProblem) {
    super('SERVICE_UNAVAILABLE', TEXTS[problem]);
    this.problem = problem;
  }
}

type Database = Pick<RetentionRepository, 'erasureLogId' | 'setErasureLogId' | 'erasure' | 'lastErasure'>;

/** Compares a log with the database, and changes neither. */
export async function compareErasureLog(
  retention: Omit<Database, 'setErasureLogId'>,
  log: ErasureLog,
): Promise<ErasureLogProblem | null> {
  const known = await retention.erasureLogId();
  // Read before the log, whose entry is written first: an erasure under way is not missing.
  const last = await retention.lastErasure();
  const id = await log.id();
  if (known !== null) return id === known ? null : id === null ? 'missing' : 'other_log';
  const head = await log.head();
  if (head === 0 && last > 0) return 'missing';
  return (await isOfDatabase(retention, log, Math.min(head, last))) ? null : 'other_entries';
}

/**
 * Compares the newest entry, up to a number, that has a receipt in the database. A killed process may have left an entry without
 * one.
 */
async function isOfDatabase(
  retention: Pick<Database, 'erasure'>,
  log: ErasureLog,
  lastCommon: number,
): Promise<boolean> {
  for (let number = lastCommon; number > 0; number -= 1) {
    const receipt = await retention.erasure(number);
    if (receipt === null) continue;
    const [entry] = await log.read(number - 1, 1);
    return entry?.verificationId === receipt.verificationId && entry.clientId === receipt.clientId;
  }
  return true;
}

/**
 * Requires the erasure log of the database. A database that knows none adopts this one, which gets an id if it has none.
 *
 * Concurrency: of instances at once, one sets the id, and the others use it.
 * @returns the id of the log
 * @throws ErasureLogMismatch
 */
async function identify(retention: Database, log: ErasureLog, ids: Pick<Ids, 'next'>): Promise<string> {
  const problem = await compareErasureLog(retention, log);
  if (problem !== null) throw new ErasureLogMismatch(problem);
  const id = (await log.id()) ?? (await log.identify(ids.next()));
  if ((await retention.setErasureLogId(id)) !== id) throw new ErasureLogMismatch('other_log');
  return id;
}

/**
 * Wraps a log so that each use first checks that it belongs to the database. This prevents the use of another log, such as an
 * empty folder left by a volume that is no longer mounted. Each call can reject with an `ErasureLogMismatch`.
 */
export function createIdentifiedLog(retention: Database, log: ErasureLog, ids: Pick<Ids, 'next'>): ErasureLog {
  /** Undefined until the first use. The id of a database never changes. */
  let known: string | undefined;

  async function requireOwn(): Promise<void> {
    if (known === undefined) {
      known = await identify(retention, log, ids);
      return;
    }
    const id = await log.id();
    if (id !== known) throw new ErasureLogMismatch(id === null ? 'missing' : 'other_log');
  }

  async function after<T>(use: () => Promise<T>): Promise<T> {
    await requireOwn();
    return use();
  }

  return {
    id: () => log.id(),
    identify: (id) => log.identify(id),
    append: (entry) => after(() => log.append(entry)),
    put: (entry) => after(() => log.put(entry)),
    read: (number, limit) => after(() => log.read(number, limit)),
    head: () => after(() => log.head()),
    probe: () => after(() => log.probe()),
  };
}
