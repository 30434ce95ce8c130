import { CountersignError } from '../errors.ts';
import type { Clock, Secrets } from '../runtime.ts';
import { entryAfter } from './audit-chain.ts';
import type { AuditEntry, AuditFact } from './audit-entry.ts';
import type { AuditHead, AuditLog } from './audit-log.ts';

/** Attempts to append a line while other instances append too. In each round, exactly one of them succeeds. */
const ATTEMPTS = 100;

/** Appends a line to the log, stamped with the time of the append. Rejects if it cannot be written. */
export type AppendFact = (fact: Omit<AuditFact, 'at'>) => Promise<AuditEntry>;

interface Waiting {
  readonly fact: Omit<AuditFact, 'at'>;
  readonly resolve: (entry: AuditEntry) => void;
  readonly reject: (fault: unknown) => void;
}

/** Queues the lines of one instance, so that only instances compete for the next sequence. */
export function createAppendFact(ports: { audit: AuditLog; clock: Clock; secrets: Secrets }): AppendFact {
  const { audit, clock, secrets } = ports;
  const waiting: Waiting[] = [];
  let isWriting = false;
  /** The last line this instance knows; undefined before the first read. A stale head costs one more attempt. */
  let head: AuditHead | null | undefined;

  async function write(fact: Omit<AuditFact, 'at'>): Promise<AuditEntry> {
    head ??= await audit.head();
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const entry = entryAfter(head, { at: clock.now(), ...fact }, secrets);
      const result = await audit.append(entry);
      head = result.outcome === 'appended' ? entry : result.head;
      if (result.outcome === 'appended') return entry;
    }
    throw new CountersignError(
      'SERVICE_UNAVAILABLE',
      'Could not append to the audit log: too many concurrent writes. Try again.',
    );
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        next.resolve(await write(next.fact));
      } catch (fault) {
        // Rejects the whole queue: otherwise each line would wait for the database's deadline in turn.
        for (const each of [next, ...waiting.splice(0)]) each.reject(fault);
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
