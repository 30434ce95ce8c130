import { type AuditEntry, DATA_ERASED_ACTION } from '../audit/audit-entry.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ErasureFault } from '../audit/verify-audit.ts';
import { canonicalJson } from '../input/json.ts';
import type { Clock, Secrets } from '../runtime.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import { auditDetailOf, type Erasure } from './erasure.ts';
import type { RetentionRepository, StoredTraces } from './retention-repository.ts';
import { hashOfNothing, hashOfTraces } from './stored-traces.ts';

/** The result of a check of the receipts. */
export type ErasureFindings =
  | { readonly outcome: 'intact'; readonly erasures: number }
  /** The newest entry without its receipt; if each entry has one, the first receipt that is wrong. */
  | { readonly outcome: 'broken'; readonly number: number; readonly reason: ErasureFault };

/**
 * Compares the receipts of erasures with the audit log in both directions, and with what is stored of their verifications. Reads
 * entries and receipts in slices.
 */
export type VerifyErasures = () => Promise<ErasureFindings>;

/** Receipts and entries that are read together. */
const BATCH = 100;

const EVERY_ENTRY = {
  actorId: undefined,
  clientId: undefined,
  outcome: undefined,
  appendedFrom: undefined,
  appendedUntil: undefined,
  limit: BATCH,
};

/** How long an erasure may wait for its files. The job tries again after an hour, such as after a backup that kept them. */
const UNFINISHED_MS = 2 * 60 * 60 * 1000;

/** Creates the check `VerifyErasures`. Pass `verifications` as its storage returns it, not sealed. */
export function createVerifyErasures(ports: {
  retention: Pick<RetentionRepository, 'erasure' | 'erasures' | 'storedTraces'>;
  /** Not sealed: compares what is stored. */
  verifications: Pick<VerificationRepository, 'findWithEventsForAnyClient'>;
  audit: Pick<AuditLog, 'list'>;
  secrets: Pick<Secrets, 'sha256'>;
  clock: Clock;
}): VerifyErasures {
  const { retention, verifications, audit, secrets, clock } = ports;

  /** Lists the entries of erasures after a sequence, newest first, in slices. */
  async function* entriesAfter(sequence: number): AsyncGenerator<readonly AuditEntry[]> {
    let before: number | undefined;
    for (;;) {
      const entries = await audit.list({ ...EVERY_ENTRY, action: DATA_ERASED_ACTION, before });
      yield entries.filter((entry) => entry.sequence > sequence);
      before = entries.at(-1)?.sequence;
      if (before === undefined || before <= sequence || entries.length < BATCH) return;
    }
  }

  async function whatIsWrongWithEntry(entry: AuditEntry): Promise<ErasureFault | null> {
    const erasure = await retention.erasure(numberOf(entry));
    if (erasure === null) return 'no_receipt';
    return isEntryOf(entry, erasure) ? null : 'changed';
  }

  /** Whether the data of the row and of each event is empty as it is stored: `storedTraces` does not read it. */
  async function isEmptied({ verification, events }: StoredTraces): Promise<boolean> {
    const found = await verifications.findWithEventsForAnyClient(verification.id, events.length);
    if (found === null) return false;
    const { metadata, answers, reviewData, dataKey, notify, warnings } = found.record;
    if ([dataKey, notify, warnings].some((value) => value !== null)) return false;
    return [metadata, answers, reviewData, ...found.events.map(({ data }) => data)].every(
      (document) => canonicalJson(document) === '{}',
    );
  }

  async function whatIsWrongWith(
    erasure: Erasure,
    hasEntry: () => Promise<boolean>,
  ): Promise<ErasureFault | null> {
    const { clientId, verificationId, number, hash, finishedAt } = erasure;
    const traces = await retention.storedTraces({ clientId, verificationId });
    const isLeftHere = traces?.verification.erasureNumber === number;
    if (hash === hashOfNothing(secrets)) return !isLeftHere && isOfNothing(erasure) ? null : 'changed';
    if (!isLeftHere || hashOfTraces(traces, secrets) !== hash || !(await isEmptied(traces))) return 'changed';
    if (finishedAt !== null) return (await hasEntry()) ? null : 'no_audit_entry';
    const removedAt = traces.events.findLast(({ type }) => type === 'verification.data_erased')?.at;
    const isLate = removedAt === undefined || clock.now().getTime() - removedAt.getTime() > UNFINISHED_MS;
    return isLate ? 'unfinished' : null;
  }

  return async () => {
    const withEntry = createNumberSet();
    let newest = 0;
    const readEntries = async (): Promise<ErasureFindings | null> => {
      const after = newest;
      for await (const entries of entriesAfter(after)) {
        const wrong = await Promise.all(entries.map(whatIsWrongWithEntry));
        for (const [index, entry] of entries.entries()) {
          const [number, reason] = [numberOf(entry), wrong[index] ?? null];
          if (reason !== null) return { outcome: 'broken', number, reason };
          withEntry.add(number);
          newest = Math.max(newest, entry.sequence);
        }
      }
      return null;
    };
    const broken = await readEntries();
    if (broken !== null) return broken;
    let [checked, after] = [0, 0];
    for (;;) {
      const erasures = await retention.erasures({ after, limit: BATCH });
      for (const erasure of erasures) {
        const { number } = erasure;
        const reason = await whatIsWrongWith(erasure, async () => {
          // The entry may have been written since the log was read.
          return withEntry.has(number) || ((await readEntries()) === null && withEntry.has(number));
        });
        if (reason !== null) return { outcome: 'broken', number, reason };
      }
      checked += erasures.length;
      const last = erasures.at(-1);
      if (last === undefined) return { outcome: 'intact', erasures: checked };
      after = last.number;
    }
  };
}

/** Returns the number of the erasure that an entry is about; 0 if it has none. */
function numberOf({ detail: { number } }: AuditEntry): number {
  return Number.isSafeInteger(number) && Number(number) > 0 ? Number(number) : 0;
}

function isEntryOf({ clientId, targetId, detail }: AuditEntry, erasure: Erasure): boolean {
  const isSamePlace = clientId === erasure.clientId && targetId === erasure.verificationId;
  return isSamePlace && canonicalJson(detail) === canonicalJson(auditDetailOf(erasure));
}

/** Whether a receipt is one of an entry of the erasure log that had nothing to remove. */
function isOfNothing({ rule, steps, files, events, finishedAt }: Erasure): boolean {
  return rule === 'log' && finishedAt !== null && steps + files + events === 0;
}

/** A set of numbers of erasures. It takes a bit for each number up to the highest, so that those of years fit into memory. */
interface NumberSet {
  add(number: number): void;
  has(number: number): boolean;
}

const BITS = 8;

export function createNumberSet(): NumberSet {
  let bytes = new Uint8Array(1_024);
  const placeOf = (number: number) => ({ index: Math.floor(number / BITS), bit: 1 << (number % BITS) });
  return {
    add(number) {
      const { index, bit } = placeOf(number);
      if (index >= bytes.length) {
        const larger = new Uint8Array(2 * index);
        larger.set(bytes);
        bytes = larger;
      }
      bytes[index] = (bytes[index] ?? 0) | bit;
    },
    has(number) {
      const { index, bit } = placeOf(number);
      return ((bytes[index] ?? 0) & bit) !== 0;
    },
  };
}
