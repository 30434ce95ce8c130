import { CountersignError } from '../errors.ts';
import {
  type DataState,
  dataStateOf,
  erasureDue,
  notErasedBefore,
  type RetentionRules,
} from '../retention/data-state.ts';
import type { Runtime } from '../runtime.ts';
import type { Actor } from '../verification/events.ts';
import { type RulesOf, retainedOf } from '../verification/retained.ts';
import type { ErasureLogEntry } from './erasure.ts';
import type { CheckErasureLog } from './log-gaps.ts';
import { createCommitMove, requestErasure, startErasure } from './moves.ts';
import type { ErasureCause, RemoveData } from './remove-data.ts';
import { createReadPause, ruleOf } from './retained-rules.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository, VerificationPlace } from './retention-repository.ts';

/** Begins erasures and removes the data. */
export interface EraseVerification {
  /**
   * Erases a verification on request: immediately, or as soon as no hold, legal period or pause of the clock prevents it. Until
   * then its data is hidden.
   * A repeated request continues an erasure that failed; otherwise it changes nothing. The job deletes files that the store
   * cannot delete yet, such as during a backup.
   * @param withdraw withdraws the verification first if it is open. Without it, an open one is refused
   * @returns the state of the data now
   * @throws CountersignError `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION`, `VERSION_CONFLICT`, `SERVICE_UNAVAILABLE` while the
   *   erasure log cannot be written, or another instance removes the data
   */
  request(place: VerificationPlace, by: { actor: Actor; withdraw: boolean }): Promise<DataState>;
  /**
   * Erases a verification that is due by the rules, or goes on with its erasure.
   * @returns `changed` if it was changed in the meantime, or another call goes on with it
   */
  erase(
    verification: RetainedVerification,
    rules: RetentionRules,
    by: { actor: Actor; requested: boolean },
  ): Promise<'erased' | 'changed'>;
  /**
   * Continues an erasure that has begun, under its rule and as the actor who began it.
   *
   * Concurrency: one of several simultaneous calls, on any instance, continues. It has `RESUME_AFTER_MS` to finish.
   * @param entry of the erasure log, if it is written already
   * @returns `changed` if another call goes on with it
   */
  resume: ResumeErasure;
}

export type ResumeErasure = (
  verification: RetainedVerification,
  rules: RetentionRules,
  options?: { entry?: ErasureLogEntry | undefined; requested?: boolean },
) => Promise<'erased' | 'changed'>;

/** How long an erasure that has begun is left to the process that began it. */
export const RESUME_AFTER_MS: number = 5 * 60 * 1000;

const ERASED: DataState = { state: 'erased', until: null };
const SYSTEM = { kind: 'system', id: null } as const;

const UNDER_WAY = 'Another server removes the data. Repeat the request in a few minutes.';

/** How often a request that lost a race is decided again. */
const ATTEMPTS = 5;

/** Creates the use cases of erasures from their ports. */
export function createEraseVerification(
  ports: Pick<Runtime, 'clock' | 'ids' | 'onFault'> & {
    retention: RetentionRepository;
    checkLog: CheckErasureLog;
    removeData: RemoveData;
    rulesOf: RulesOf;
    withdraw: (place: VerificationPlace, actor: Actor) => Promise<unknown>;
  },
): EraseVerification {
  const { retention, clock, checkLog, removeData, rulesOf, withdraw, onFault } = ports;
  const commit = createCommitMove(ports);
  const readPause = createReadPause(retention);

  /**
   * Erasures of this instance by the verification: a second request waits for the first. Registered before the start is
   * committed: otherwise a second request here could read the committed start, find no entry, and assume that another instance
   * erases.
   */
  const underWay = new Map<string, Set<Promise<unknown>>>();

  async function asUnderWay<T>(verification: RetainedVerification, erasure: Promise<T>): Promise<T> {
    const key = keyOf(verification);
    const erasures = underWay.get(key) ?? new Set();
    underWay.set(key, erasures.add(erasure));
    try {
      return await erasure;
    } finally {
      erasures.delete(erasure);
      if (erasures.size === 0) underWay.delete(key);
    }
  }

  /**
   * Removes the data on request. The job deletes files that the store cannot delete yet, such as during a backup. If the data
   * itself could not be removed, the next call may continue immediately.
   */
  const removeOnRequest: RemoveData = async (place, cause) => {
    try {
      await removeData(place, cause);
    } catch (fault) {
      const current = await retention.find(place);
      if (current !== null && current.erasureNumber !== null) return onFault(fault);
      if (current !== null) await retention.schedule({ place, expected: current, checkAt: clock.now() });
      throw fault;
    }
  };

  async function remove(
    verification: RetainedVerification,
    cause: ErasureCause,
    requested: boolean,
  ): Promise<void> {
    const place = { clientId: verification.clientId, verificationId: verification.id };
    await (requested ? removeOnRequest : removeData)(place, cause);
  }

  /**
   * Returns why the erasure began and who began it: the actor of the first request, the system for an entry of the erasure log
   * (no request comes from the system), or the job.
   */
  async function causeOf(verification: RetainedVerification, rules: RetentionRules): Promise<ErasureCause> {
    const { clientId, id, erasureRequestedAt, erasedAt } = verification;
    const traces = await retention.storedTraces({ clientId, verificationId: id });
    const requestedBy = traces?.events.findLast(({ type }) => type === 'verification.erasure_requested')?.actor;
    if (requestedBy?.kind === 'system') return { rule: 'log', actor: SYSTEM };
    const isFirst = erasureRequestedAt?.getTime() === erasedAt?.getTime();
    return { rule: ruleOf(verification, rules), actor: (isFirst ? requestedBy : undefined) ?? SYSTEM };
  }

  const resumed: ResumeErasure = async (verification, rules, { entry, requested = false } = {}) => {
    const place = { clientId: verification.clientId, verificationId: verification.id };
    const checkAt = new Date(clock.now().getTime() + RESUME_AFTER_MS);
    const claim = await retention.schedule({ place, expected: verification, checkAt });
    if (claim.outcome === 'conflict') return 'changed';
    await remove(verification, { ...(await causeOf(verification, rules)), entry }, requested);
    return 'erased';
  };

  const resume: ResumeErasure = (verification, ...rest) =>
    asUnderWay(verification, resumed(verification, ...rest));

  const begin: EraseVerification['erase'] = async (verification, rules, { actor, requested }) => {
    await checkLog();
    const now = clock.now();
    const resumeAt = new Date(now.getTime() + RESUME_AFTER_MS);
    const started = startErasure(verification, { now, resumeAt, requested });
    if (!(await commit(verification, started, { at: now, actor }))) return 'changed';
    await remove(started.next, { rule: ruleOf(started.next, rules), actor, isLogChecked: true }, requested);
    return 'erased';
  };

  const erase: EraseVerification['erase'] = async (verification, rules, by) =>
    verification.erasedAt === null
      ? asUnderWay(verification, begin(verification, rules, by))
      : resume(verification, rules);

  /**
   * Goes on with an erasure whose data is left.
   * @returns null if another call goes on with it, or has ended it
   * @throws CountersignError `SERVICE_UNAVAILABLE` while another instance has it
   */
  async function resumeOnRequest(
    verification: RetainedVerification,
    rules: RetentionRules,
  ): Promise<DataState | null> {
    const erasures = underWay.get(keyOf(verification));
    if (erasures !== undefined) {
      await Promise.allSettled(erasures);
      return null;
    }
    if (isClaimed(verification, clock.now())) {
      const { clientId, id: verificationId } = verification;
      // It may have ended since it was read.
      const current = await retention.find({ clientId, verificationId });
      if (current?.erasureNumber === null && isClaimed(current, clock.now()))
        throw new CountersignError('SERVICE_UNAVAILABLE', UNDER_WAY);
      return null;
    }
    return (await resume(verification, rules, { requested: true })) === 'erased' ? ERASED : null;
  }

  /** @returns null if the verification was changed in the meantime */
  async function decide(verification: RetainedVerification, actor: Actor): Promise<DataState | null> {
    const rules = await rulesOf(verification.clientId);
    const now = clock.now();
    if (verification.erasureNumber !== null) return ERASED;
    if (verification.erasedAt !== null) return resumeOnRequest(verification, rules);
    const requested = { ...verification, erasureRequestedAt: verification.erasureRequestedAt ?? now };
    const due = erasureDue(retainedOf(requested), rules);
    const pausedUntil = await readPause(now);
    if (due !== null && due.at <= now && pausedUntil === null) {
      const outcome = await erase(verification, rules, { actor, requested: true });
      return outcome === 'erased' ? ERASED : null;
    }
    const transition = requestErasure(verification, now);
    if (transition !== null && !(await commit(verification, transition, { at: now, actor }))) return null;
    return notErasedBefore(dataStateOf(retainedOf(requested), rules, now), pausedUntil);
  }

  /** Withdraws a verification. Changes nothing if another request has closed it since it was read. */
  async function withdrawIfOpen(place: VerificationPlace, actor: Actor): Promise<void> {
    try {
      await withdraw(place, actor);
    } catch (fault) {
      const current = await retention.find(place);
      if (current === null || current.resolvedAt === null) throw fault;
    }
  }

  return {
    erase,
    resume,

    async request(place, { actor, withdraw: mayWithdraw }) {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const verification = await retention.find(place);
        if (verification === null) throw new CountersignError('VERIFICATION_NOT_FOUND');
        if (verification.resolvedAt === null && mayWithdraw) {
          await withdrawIfOpen(place, actor);
          continue;
        }
        const state = await decide(verification, actor);
        if (state !== null) return state;
      }
      throw new CountersignError('VERSION_CONFLICT');
    },
  };
}

function keyOf({ clientId, id }: RetainedVerification): string {
  return `${clientId} ${id}`;
}

/** Whether another call is running the erasure. A check further ahead than a claim sets was scheduled after a failure. */
function isClaimed({ retentionCheckAt }: RetainedVerification, now: Date): boolean {
  if (retentionCheckAt === null) return false;
  const ahead = retentionCheckAt.getTime() - now.getTime();
  return ahead > 0 && ahead <= RESUME_AFTER_MS;
}
