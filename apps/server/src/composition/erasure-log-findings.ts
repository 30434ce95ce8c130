import {
  compareErasureLog,
  completeErasureLog,
  type ErasureLog,
  type ErasureLogEntry,
  ErasureLogMismatch,
} from '@countersign/domain/retention';
import type { RetentionRepository } from '@countersign/domain/storage';
import { createFileErasureLog } from '@countersign/evidence';
import { type ErasureLogPlaces, misplacementOf } from '../database/erasure-log-place.ts';
import { type Findings, listed } from '../database/findings.ts';

/** State of the erasure log. */
export interface ErasureLogFacts {
  readonly directory: string;
  /** Number of erasures. */
  readonly entries: number;
  /** Entries of verifications whose erasure never began in the database. */
  readonly unexpected: number;
}

const PAGE = 1_000;

/**
 * Reads every entry of the erasure log, and compares them, its id and its end with the database.
 * @param retention undefined when the database has a problem: then only the log is read
 * @param options.complete writes the entries that the log lacks, unless its place is refused. Otherwise creates nothing
 */
export async function examineErasureLog(
  places: ErasureLogPlaces,
  retention: RetentionRepository | undefined,
  { complete = false }: { readonly complete?: boolean } = {},
): Promise<Findings<ErasureLogFacts | null>> {
  const { erasureLogDir: directory } = places;
  const misplaced = await misplacementOf(places);
  const problems = misplaced === undefined ? [] : [`ERASURE_LOG_URL ${misplaced}`];
  const log = createFileErasureLog({ directory });
  try {
    const written =
      complete && misplaced === undefined && retention !== undefined
        ? await completeErasureLog(retention, log)
        : 0;
    const mismatch = await mismatchWith(retention, log);
    // The entries of another log say nothing about this database.
    const { entries, unexpected } = await readEntries(log, mismatch === null ? retention : undefined);
    if (mismatch !== null) problems.push(mismatchText(mismatch, directory, COMPLETE));
    problems.push(...listed(unexpected, unexpectedText, 'entries'));
    const last = (await retention?.lastErasure()) ?? 0;
    if (mismatch === null && last > entries) {
      problems.push(
        `The database has erasure ${last}, but the erasure log of ERASURE_LOG_URL, ${directory}, ends with ${entries}: put its newest copy in its place, or ${COMPLETE}`,
      );
    }
    const added = written > 0 ? [`Entries that the erasure log lacked and now has: ${written}`] : [];
    return {
      facts: { directory, entries, unexpected: unexpected.length },
      lines: [...added, `Erasure log ${directory}, ${entries} entries`],
      problems,
    };
  } catch (error) {
    // Storages and @countersign/evidence word every error for operators.
    if (error instanceof Error) return { facts: null, lines: [], problems: [...problems, error.message] };
    throw error;
  }
}

/** What to do about an erasure log that is lost. */
export const COMPLETE = 'run countersign doctor --complete-erasure-log';

/** Compares the erasure log with a database, which may be of a backup. Null: it is its log, or there is no database. */
export async function mismatchWith(
  retention: RetentionRepository | undefined,
  log: ErasureLog,
): Promise<ErasureLogMismatch | null> {
  const problem = retention === undefined ? null : await compareErasureLog(retention, log);
  return problem === null ? null : new ErasureLogMismatch(problem);
}

/**
 * Says that the erasure log is not the one of the database.
 * @param whenLost what to do if the log is lost, as the end of a sentence
 */
export function mismatchText(
  { message, problem }: Pick<ErasureLogMismatch, 'message' | 'problem'>,
  directory: string,
  whenLost: string,
): string {
  const remedy = problem === 'missing' ? `. If it is lost, ${whenLost}` : '';
  return `${message} ERASURE_LOG_URL is ${directory}${remedy}`;
}

interface ReadEntries {
  readonly entries: number;
  readonly unexpected: readonly ErasureLogEntry[];
}

/** Counts all entries, and finds those that no erasure of the database explains. @param retention undefined: only counts */
async function readEntries(log: ErasureLog, retention: RetentionRepository | undefined): Promise<ReadEntries> {
  const unexpected: ErasureLogEntry[] = [];
  for (let read = 0; ; ) {
    const entries = await log.read(read, PAGE);
    if (entries.length === 0) return { entries: read, unexpected };
    read += entries.length;
    if (retention !== undefined) unexpected.push(...(await unexpectedOf(entries, retention)));
  }
}

async function unexpectedOf(
  entries: readonly ErasureLogEntry[],
  retention: RetentionRepository,
): Promise<ErasureLogEntry[]> {
  const missing = await retention.withoutReceipt(entries.map(({ number }) => number));
  const found: ErasureLogEntry[] = [];
  for (const entry of entries.filter(({ number }) => missing.includes(number))) {
    const { clientId, verificationId } = entry;
    const verification = await retention.find({ clientId, verificationId });
    if (verification !== null && verification.erasedAt === null) found.push(entry);
  }
  return found;
}

function unexpectedText({ number, verificationId }: ErasureLogEntry): string {
  return `Entry ${number} of the erasure log is unexpected: the erasure of verification ${verificationId} never began in this database. The next start of a server erases it. If another installation writes to this log, see The erasure log in docs/operations.md before you start one`;
}
