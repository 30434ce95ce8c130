import type { ExportRepository } from '../exports/export-repository.ts';
import { canonicalJson } from '../input/json.ts';
import { erasureDue, isHeld } from '../retention/data-state.ts';
import type { Runtime, Secrets } from '../runtime.ts';
import { HAND_OVER_WINDOW_MS } from '../verification/hand-over-code.ts';
import type { HandOverRepository } from '../verification/hand-over-repository.ts';
import { retainedOf } from '../verification/retained.ts';
import type { ApplyErasureLog } from './apply-log.ts';
import type { DropUploads } from './drop-uploads.ts';
import type { EraseVerification } from './erase-verification.ts';
import type { ErasureLogEntry } from './erasure.ts';
import { LONGEST_GAP_MS, PAUSE_MS, type RetentionSettings, readRules, rulesWith } from './retained-rules.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { ClientRetention, RetentionRepository } from './retention-repository.ts';

/** What one run of the job did. */
export interface RetentionRunResult {
  readonly erased: number;
  /** Whether nothing is left to do now. */
  readonly isDone: boolean;
  /** Until when nothing is erased, because the clock may have jumped; null otherwise. */
  readonly pausedUntil: Date | null;
  /** Erasures of the database that the erasure log lacks. */
  readonly missingInLog: number;
  /** Entries of the erasure log that were left alone, because the erasure of their verification never began in this database. */
  readonly unexpectedInLog: readonly ErasureLogEntry[];
}

/** Background job that erases what is due. */
export interface RetentionJob {
  /**
   * Applies the expected entries of the erasure log, erases some of the verifications that are due, plans some of those whose rules changed, deletes some of the
   * replaced uploads whose period has ended, and forgets exports that ended 30 days ago and hand-over codes after an hour. A verification
   * that fails is reported and tried again after an hour. No erasure begins by the rules for a day if the last run was more than a week
   * ago: the clock may have jumped. Those that have begun are finished meanwhile.
   *
   * Concurrency: of several instances, each verification is erased by one.
   */
  run(): Promise<RetentionRunResult>;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Verifications that one run looks at. */
const AT_ONCE = 10;
/**
 * Clients whose plan is compared together, and verifications of one client that are planned with one write: so few that requests do
 * not wait long.
 */
const CLIENTS_AT_ONCE = 100;
const PLANNED_AT_ONCE = 50;
/** Writes of plans in one run. */
const PLANS_A_RUN = 5;

/** How long exports are kept after their end, and how many one run forgets. */
const EXPORTS_KEPT_MS = 30 * DAY_MS;
const FORGOTTEN_AT_ONCE = 500;

/** Wait before a failed verification is tried again, so that its faults do not fill the log. */
const REST_MS = HOUR_MS;

const SYSTEM = { kind: 'system', id: null } as const;

/** Creates the background job that erases what is due. */
export function createRetentionJob(
  ports: Pick<Runtime, 'clock' | 'onFault'> & {
    retention: RetentionRepository;
    exports: Pick<ExportRepository, 'forget'>;
    handOvers: Pick<HandOverRepository, 'forget'>;
    secrets: Pick<Secrets, 'sha256'>;
    settings: RetentionSettings;
    applyLog: ApplyErasureLog;
    erase: EraseVerification['erase'];
    dropUploads: DropUploads;
  },
): RetentionJob {
  const { retention, exports, handOvers, clock, secrets, settings, applyLog, erase, dropUploads, onFault } = ports;
  /** The last client whose plan was compared; null at the beginning of a round. */
  let comparedAfter: string | null = null;

  const later = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds);

  async function checkAgain(verification: RetainedVerification, checkAt: Date | null): Promise<void> {
    const { clientId, id: verificationId } = verification;
    await retention.schedule({ place: { clientId, verificationId }, expected: verification, checkAt });
  }

  /** Erases a verification, or plans when to look at it again. @returns whether it was erased */
  async function handle(verification: RetainedVerification, now: Date): Promise<boolean> {
    // Read for each verification, so that a policy set during the run applies to the rest of it.
    const rules = await readRules(retention, settings, verification.clientId);
    if (verification.erasedAt === null) {
      const due = erasureDue(retainedOf(verification), rules);
      if (due === null || due.at > now || isHeld(verification, now)) {
        await checkAgain(verification, due?.at ?? null);
        return false;
      }
    }
    return (await erase(verification, rules, { actor: SYSTEM, requested: false })) === 'erased';
  }

  async function handleOrReport(verification: RetainedVerification, now: Date): Promise<boolean> {
    try {
      return await handle(verification, now);
    } catch (fault) {
      onFault(fault);
      const { clientId, id: verificationId } = verification;
      const current = await retention.find({ clientId, verificationId });
      if (current !== null) await checkAgain(current, later(now, REST_MS));
      return false;
    }
  }

  async function eraseDue(now: Date): Promise<{ erased: number; isDone: boolean }> {
    const due = await retention.due({ now, limit: AT_ONCE });
    let erased = 0;
    // One at a time: one large write would delay requests longer than several small ones.
    for (const verification of due) {
      if (await handleOrReport(verification, now)) erased += 1;
    }
    return { erased, isDone: due.length < AT_ONCE };
  }

  /** Goes on with erasures that have begun, while none begins. @returns how many it finished */
  async function finishBegun(now: Date): Promise<number> {
    const begun = await retention.unfinished({ begunBefore: now, limit: AT_ONCE });
    let finished = 0;
    for (const verification of begun) {
      const { retentionCheckAt } = verification;
      const isDue = retentionCheckAt !== null && retentionCheckAt <= now;
      if (isDue && (await handleOrReport(verification, now))) finished += 1;
    }
    return finished;
  }

  /** Returns a hash of a client's rules. If it changes, its decided verifications are checked again. */
  function planOf({ policy: own }: ClientRetention): string {
    const { policy, floor, timeZone } = rulesWith(settings, own);
    return secrets.sha256(canonicalJson({ policy: { ...policy }, floor: { ...floor }, timeZone }));
  }

  /**
   * Schedules a check of decided verifications whose rules changed, or that predate the rules.
   * @returns whether all are planned
   */
  async function plan(now: Date): Promise<boolean> {
    for (let slice = 1; slice <= PLANS_A_RUN; slice += 1) {
      if (await planSlice(now)) return true;
    }
    return false;
  }

  /** @returns whether all clients are compared and all their verifications planned */
  async function planSlice(now: Date): Promise<boolean> {
    const clients = await retention.ofClients(comparedAfter, CLIENTS_AT_ONCE);
    for (const client of clients) {
      const plannedBy = planOf(client);
      const isPlanned = client.plannedBy === plannedBy;
      if (isPlanned && client.plannedAfter === null) continue;
      const after = isPlanned ? client.plannedAfter : null;
      const { clientId } = client;
      const { last } = await retention.recheck({ clientId, after, limit: PLANNED_AT_ONCE, at: now });
      await retention.setPlan({ clientId, plannedBy, plannedAfter: last });
      if (last !== null) return false;
    }
    comparedAfter = clients.length < CLIENTS_AT_ONCE ? null : (clients.at(-1)?.clientId ?? null);
    return comparedAfter === null;
  }

  /** Deletes exports that ended long ago. @returns whether none is left */
  async function forgetExports(now: Date): Promise<boolean> {
    const before = later(now, -EXPORTS_KEPT_MS);
    return (await exports.forget({ before, limit: FORGOTTEN_AT_ONCE })) < FORGOTTEN_AT_ONCE;
  }

  /** Deletes hand-over codes that no longer work or count. @returns whether none is left */
  async function forgetHandOvers(now: Date): Promise<boolean> {
    const before = later(now, -HAND_OVER_WINDOW_MS);
    return (await handOvers.forget({ before, limit: FORGOTTEN_AT_ONCE })) < FORGOTTEN_AT_ONCE;
  }

  return {
    async run() {
      const now = clock.now();
      const { pausedUntil } = await retention.beginRun({
        now,
        expectedFrom: later(now, -LONGEST_GAP_MS),
        expectedUntil: later(now, LONGEST_GAP_MS),
        pauseUntil: later(now, PAUSE_MS),
      });
      const { missingInLog, unexpected: unexpectedInLog } = await applyLog('expected');
      const ofLog = { missingInLog, unexpectedInLog };
      if (pausedUntil !== null && pausedUntil > now) {
        const erased = await finishBegun(now);
        return { erased, isDone: true, pausedUntil, ...ofLog };
      }
      const isPlanned = await plan(now);
      const { erased, isDone } = await eraseDue(now);
      const areDropped = await dropUploads(now);
      const areForgotten = [await forgetExports(now), await forgetHandOvers(now)];
      const isAllDone = isDone && isPlanned && areDropped && !areForgotten.includes(false);
      return { erased, isDone: isAllDone, pausedUntil: null, ...ofLog };
    },
  };
}
