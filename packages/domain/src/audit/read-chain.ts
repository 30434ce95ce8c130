import { isCountersignError } from '../errors.ts';
import type { Secrets } from '../runtime.ts';
import { hashOf } from './audit-chain.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditHead, AuditLog } from './audit-log.ts';
import { NO_PREVIOUS_HASH } from './audit-log.ts';

/** The first entry that does not follow the one before it, has a wrong hash or cannot be read. */
export interface ChainFault {
  readonly sequence: number;
  readonly reason: 'gap' | 'wrong_hash' | 'wrong_previous_hash' | 'unreadable';
}

/** Entries that are read and checked in one go: about a millisecond. */
const BATCH = 100;

/**
 * Reads the log in the order of the chain, and recomputes every hash. Memory does not grow with the log.
 * @param after the entry before the first one to read; null begins with the first of the log
 * @returns after the last intact entry, the fault that follows it; null at the end of the log
 */
export async function* readChain(
  { audit, secrets }: { readonly audit: Pick<AuditLog, 'read'>; readonly secrets: Pick<Secrets, 'sha256'> },
  after: AuditHead | null,
): AsyncGenerator<readonly AuditEntry[], ChainFault | null> {
  let head = after;
  let batch = BATCH;
  for (;;) {
    const entries = await readAfter(audit, head?.sequence ?? 0, batch);
    if (entries === null) {
      if (batch === 1) return { sequence: (head?.sequence ?? 0) + 1, reason: 'unreadable' };
      // Reads one entry at a time to find the unreadable one.
      batch = 1;
      continue;
    }
    if (entries.length === 0) return null;
    for (const [index, entry] of entries.entries()) {
      const reason = whatIsWrong(entry, head, secrets);
      if (reason !== null) {
        if (index > 0) yield entries.slice(0, index);
        return { sequence: entry.sequence, reason };
      }
      head = { sequence: entry.sequence, hash: entry.hash };
    }
    yield entries;
  }
}

/** Reads entries; null if one of them cannot be parsed. */
export async function readAfter(
  audit: Pick<AuditLog, 'read'>,
  sequence: number,
  limit: number,
): Promise<readonly AuditEntry[] | null> {
  try {
    return await audit.read(sequence, limit);
  } catch (fault) {
    if (isCountersignError(fault)) throw fault;
    return null;
  }
}

/** Reads the number and the hash of an entry; null if the entry is missing or cannot be read. */
export async function readHead(audit: Pick<AuditLog, 'read'>, sequence: number): Promise<AuditHead | null> {
  const entry = (await readAfter(audit, sequence - 1, 1))?.[0];
  return entry?.sequence === sequence ? { sequence, hash: entry.hash } : null;
}

function whatIsWrong(
  entry: AuditEntry,
  before: AuditHead | null,
  secrets: Pick<Secrets, 'sha256'>,
): ChainFault['reason'] | null {
  if (entry.sequence !== (before?.sequence ?? 0) + 1) return 'gap';
  if (entry.previousHash !== (before?.hash ?? NO_PREVIOUS_HASH)) return 'wrong_previous_hash';
  if (Number.isNaN(entry.at.getTime())) return 'unreadable';
  return entry.hash === hashOf(entry, secrets) ? null : 'wrong_hash';
}
