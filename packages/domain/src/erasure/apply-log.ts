import type { Runtime, Secrets } from '../runtime.ts';
import type { VerificationEvent } from '../verification/events.ts';
import type { RulesOf } from '../verification/retained.ts';
import { RESUME_AFTER_MS, type ResumeErasure } from './erase-verification.ts';
import type { ErasureLog, ErasureLogEntry } from './erasure.ts';
import type { RemoveData } from './remove-data.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository } from './retention-repository.ts';
import { hashOfNothing } from './stored-traces.ts';

/** What a comparison of the erasure log with the database found and did. */
export interface AppliedErasureLog {
  /** Entries whose data was removed from the database. Files that are left are deleted by the job. */
  readonly applied: number;
  /** Entries whose data the database still has. Their faults are reported, and the next call tries again. */
  readonly failed: number;
  /** Erasures of the database that the log lacks: its newest entries are lost, or it is an older copy. */
  readonly missingInLog: number;
  /** Entries that `expected` skips: their verification is in the database, and its erasure never began here. */
  readonly unexpected: readonly ErasureLogEntry[];
}

/**
 * Which entries are applied. `all` includes verifications whose erasure never began in this database, as after a restore.
 * `expected` covers only what a running server can meet: erasures that began here, and unknown verifications. Any other entry was
 * written by a copy of the database that shares the log, such as a staging system, and may name a verification on hold.
 */
export type AppliedEntries = 'all' | 'expected';

/**
 * Erases data that the erasure log names and the database still has: after a restore, or after a crash between the entry and the
 * removal. Run with `all` before anything is served, and with `expected` by each run of the job. An erasure that is running is
 * skipped until its `retentionCheckAt`.
 *
 * Rejects if the log cannot be read, or an entry that the database lacks is damaged.
 */
export type ApplyErasureLog = (entries: AppliedEntries) => Promise<AppliedErasureLog>;

const SYSTEM = { kind: 'system', id: null } as const;

/** Entries that are compared with the database together. */
const BATCH = 1_000;

/** How often an entry that lost a race is applied again. */
const ATTEMPTS = 5;

/** Creates the use case `ApplyErasureLog`. Without a `log`, it applies nothing. */
export function createApplyErasureLog(
  ports: Pick<Runtime, 'clock' | 'ids' | 'onFault'> & {
    retention: RetentionRepository;
    log: ErasureLog | undefined;
    secrets: Pick<Secrets, 'sha256'>;
    rulesOf: RulesOf;
    removeData: RemoveData;
    resume: ResumeErasure;
  },
): ApplyErasureLog {
  const { retention, log, clock, ids, secrets, rulesOf, removeData, resume, onFault } = ports;
  /** Every entry up to this number is applied or unexpected, so this instance does not read them again. */
  let checkedUpTo = 0;
  const unexpected = new Map<number, ErasureLogEntry>();

  /**
   * Begins an erasure in any state: the verification was erased before the backup was restored. The last event names the system,
   * so that a call that continues it knows that the log began it.
   */
  async function begin(verification: RetainedVerification, { at }: ErasureLogEntry): Promise<boolean> {
    const { clientId, id: verificationId, version, eventCount, resolvedAt } = verification;
    const now = clock.now();
    const isOpen = resolvedAt === null;
    const types = [
      ...(isOpen ? ['verification.withdrawn' as const] : []),
      'verification.erasure_requested' as const,
    ];
    const next: RetainedVerification = {
      ...verification,
      ...(isOpen && ({ status: 'rejected', resolvedAt: at, claimedBy: null, claimedAt: null } as const)),
      sandboxOutcome: null,
      heldAt: null,
      heldBy: null,
      heldUntil: null,
      erasedAt: at,
      retentionCheckAt: new Date(now.getTime() + RESUME_AFTER_MS),
      version: version + types.length,
      eventCount: eventCount + types.length,
    };
    const events = types.map(
      (type, index): VerificationEvent => ({
        id: ids.next(),
        clientId,
        verificationId,
        version: version + 1 + index,
        type,
        status: next.status,
        at: now,
        actor: SYSTEM,
        // The webhooks of its decision and its erasure were sent before the restore.
        data: { silent: true },
      }),
    );
    return (
      (await retention.change({ verification: next, expectedVersion: version, events })).outcome === 'committed'
    );
  }

  /** Inserts a receipt for an entry that has nothing to remove. */
  async function recordAlone({ number, clientId, verificationId, at }: ErasureLogEntry): Promise<void> {
    const counts = { steps: 0, files: 0, events: 0 };
    const hash = hashOfNothing(secrets);
    const finishedAt = clock.now();
    await retention.recordErasure({
      number,
      clientId,
      verificationId,
      at,
      rule: 'log',
      ...counts,
      hash,
      finishedAt,
    });
  }

  /** @returns `left` if another call is still running the erasure */
  async function apply(entry: ErasureLogEntry, which: AppliedEntries): Promise<'applied' | 'left' | 'unexpected'> {
    const { clientId, verificationId } = entry;
    const place = { clientId, verificationId };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const verification = await retention.find(place);
      if (verification?.erasureNumber === entry.number) return 'applied';
      if (verification === null || verification.erasureNumber !== null) {
        await recordAlone(entry);
        return 'applied';
      }
      if (verification.erasedAt !== null) {
        const { retentionCheckAt } = verification;
        if (retentionCheckAt !== null && retentionCheckAt > clock.now()) return 'left';
        const outcome = await resume(verification, await rulesOf(clientId), { entry });
        if (outcome === 'erased') return 'applied';
        continue;
      }
      if (which === 'expected') return 'unexpected';
      if (!(await begin(verification, entry))) continue;
      await removeData(place, { rule: 'log', actor: SYSTEM, entry });
      return 'applied';
    }
    throw new Error(`The verification ${verificationId} changes all the time, so its entry was not applied`);
  }

  /** Lets the next call continue immediately. */
  async function release({ clientId, verificationId }: ErasureLogEntry): Promise<void> {
    const place = { clientId, verificationId };
    const verification = await retention.find(place);
    if (verification === null || verification.erasedAt === null) return;
    await retention.schedule({ place, expected: verification, checkAt: clock.now() });
  }

  /** @returns `applied` if the data is removed, also if its files are left */
  async function applyOrReport(
    entry: ErasureLogEntry,
    which: AppliedEntries,
  ): Promise<'applied' | 'failed' | 'left' | 'unexpected'> {
    try {
      return await apply(entry, which);
    } catch (fault) {
      onFault(fault);
      if ((await retention.withoutReceipt([entry.number])).length === 0) return 'applied';
      await release(entry);
      return 'failed';
    }
  }

  /** Reads only entries without a receipt: reading all of them would delay each start more from year to year. */
  async function entriesWithoutReceipt(from: ErasureLog, after: number, last: number): Promise<ErasureLogEntry[]> {
    const numbers = Array.from({ length: last - after }, (_, index) => after + 1 + index);
    const missing = await retention.withoutReceipt(numbers);
    const [lowest, highest] = [missing[0], missing.at(-1)];
    if (lowest === undefined || highest === undefined) return [];
    const entries = await from.read(lowest - 1, highest - lowest + 1);
    return entries.filter(({ number }) => missing.includes(number));
  }

  return async (which) => {
    const found = { applied: 0, failed: 0, left: 0, unexpected: 0 };
    if (log === undefined) return { applied: 0, failed: 0, missingInLog: 0, unexpected: [] };
    const applyEntry = async (entry: ErasureLogEntry): Promise<void> => {
      const outcome = await applyOrReport(entry, which);
      found[outcome] += 1;
      if (outcome === 'unexpected') unexpected.set(entry.number, entry);
      if (outcome === 'applied') unexpected.delete(entry.number);
    };
    // Read before the log, whose entry is written first: an erasure under way is not missing.
    const lastErasure = await retention.lastErasure();
    const head = await log.head();
    for (const entry of unexpected.values()) await applyEntry(entry);
    for (let after = checkedUpTo; after < head; after += BATCH) {
      const last = Math.min(after + BATCH, head);
      for (const entry of await entriesWithoutReceipt(log, after, last)) await applyEntry(entry);
      if (found.failed === 0 && found.left === 0) checkedUpTo = last;
    }
    const { applied, failed } = found;
    return {
      applied,
      failed,
      missingInLog: Math.max(0, lastErasure - head),
      unexpected: [...unexpected.values()],
    };
  };
}
