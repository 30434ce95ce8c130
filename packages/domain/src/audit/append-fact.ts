import { CountersignError } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Secrets } from '../runtime/secrets.ts';
import { entryAfter } from './audit-chain.ts';
import type { AuditEntry, AuditFact } from './audit-entry.ts';
import type { AuditHead, AuditLog } from './audit-log.ts';

/** How often a line is made anew because another instance was faster. Each time, one of all that compete gets its place. */
const ATTEMPTS = 100;

/**
 * Appends a line to the end of the log, at the moment when it gets its place there. Rejects where it cannot be written.
 */
export type AppendFact = (fact: Omit<AuditFact, 'at'>) => Promise<AuditEntry>;

interface Waiting {
  readonly fact: Omit<AuditFact, 'at'>;
  readonly resolve: (entry: AuditEntry) => void;
  readonly reject: (fault: unknown) => void;
}

/** Lines of one instance wait for each other, so that only instances compete for the next place. */
export function createAppendFact(ports: { audit: AuditLog; clock: Clock; secrets: Secrets }): AppendFact {
  const { audit, clock, secrets } = ports;
  const waiting: Waiting[] = [];
  let isWriting = false;
  /** Where this instance last saw the end; undefined before it looked. A wrong guess costs one more attempt. */
  let head: AuditHead | null | undefined;

  async function write(fact: Omit<AuditFact, 'at'>): Promise<AuditEntry> {
    head ??= await audit.head();
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const entry = entryAfter(head, { at: clock.now(), ...fact }, secrets);
      const result = await audit.append(entry);
      head = result.outcome === 'appended' ? entry : result.head;
      if (result.outcome === 'appended') return entry;
    }
    throw new CountersignError('SERVICE_UNAVAILABLE', 'The audit log takes no line: too many are written at once');
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        next.resolve(await write(next.fact));
      } catch (fault) {
        // Who waits behind a database that does not answer would wait for its deadline as often as there are others.
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
