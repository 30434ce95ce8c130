import { CountersignError } from '../errors.ts';
import type { Clock, Secrets } from '../runtime.ts';
import { entryAfter } from './audit-chain.ts';
import type { AuditEntry, AuditFact } from './audit-entry.ts';
import { APPENDED_AT_ONCE, type AuditHead, type AuditLog } from './audit-log.ts';

/** Attempts to append an entry while other instances append too. In each round, exactly one of them succeeds. */
const ATTEMPTS = 100;

/** Appends an entry to the log, stamped with the time of the append. Rejects if it cannot be written. */
export type AppendFact = (fact: Omit<AuditFact, 'at'>) => Promise<AuditEntry>;

interface Waiting {
  readonly fact: Omit<AuditFact, 'at'>;
  readonly resolve: (entry: AuditEntry) => void;
  readonly reject: (fault: unknown) => void;
}

/** Queues the entries of one instance, so that only instances compete for the next sequence. */
export function createAppendFact(ports: { audit: AuditLog; clock: Clock; secrets: Secrets }): AppendFact {
  const { audit, clock, secrets } = ports;
  const waiting: Waiting[] = [];
  let isWriting = false;
  /** The last entry this instance knows; undefined before the first read. A stale head costs one more attempt. */
  let head: AuditHead | null | undefined;

  async function write(facts: readonly Omit<AuditFact, 'at'>[]): Promise<readonly AuditEntry[]> {
    head ??= await audit.head();
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const [first, ...more] = entriesAfter(head, facts);
      if (first === undefined) return [];
      const result = await audit.append(first, ...more);
      if (result.outcome === 'appended') {
        head = more.at(-1) ?? first;
        return [first, ...more];
      }
      head = result.head;
    }
    throw new CountersignError(
      'SERVICE_UNAVAILABLE',
      'Could not append to the audit log: too many concurrent writes. Try again.',
    );
  }

  function entriesAfter(last: AuditHead | null, facts: readonly Omit<AuditFact, 'at'>[]): readonly AuditEntry[] {
    let previous = last;
    return facts.map((fact) => {
      const entry = entryAfter(previous, { at: clock.now(), ...fact }, secrets);
      previous = entry;
      return entry;
    });
  }

  /** Entries that arrive while others are written are appended together, and so wait for the disk once. */
  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, APPENDED_AT_ONCE);
      try {
        const entries = await write(batch.map(({ fact }) => fact));
        for (const [index, entry] of entries.entries()) batch[index]?.resolve(entry);
      } catch (fault) {
        // Rejects the whole queue: otherwise each entry would wait for the database's deadline in turn.
        for (const each of [...batch, ...waiting.splice(0)]) each.reject(fault);
      }
    }
    isWriting = false;
  }

  return (fact) =>
    new Promise((resolve, reject) => {
      waiting.push({ fact, resolve, reject });
      if (!isWriting) void writeAll();
    });
}
