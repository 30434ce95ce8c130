import { CountersignError } from '../errors.ts';
import { type DataState, dataStateOf, erasureDue, type RetentionRules } from '../retention/data-state.ts';
import type { Clock, Ids } from '../runtime.ts';
import type { Actor } from '../verification/events.ts';
import { type RulesOf, retainedOf } from '../verification/retained.ts';
import { checkMove } from '../verification/status.ts';
import { createCommitMove } from './change-retained.ts';
import { requestErasure, startErasure } from './moves.ts';
import type { RemoveData } from './remove-data.ts';
import { ruleOf } from './retained-rules.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository, VerificationPlace } from './retention-repository.ts';

/** Begins erasures and removes the data. */
export interface EraseVerification {
  /**
   * Erases a verification on request: at once, or as soon as a hold ends and the law allows it. Until then its data is hidden.
   * Requests after the first change nothing. Files that the store keeps for now, such as during a backup, are deleted by the job.
   * @param withdraw withdraws the verification first if it is open. Without it, an open one is refused
   * @returns what holds of the data now
   * @throws CountersignError `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION`, `VERSION_CONFLICT`
   */
  request(place: VerificationPlace, by: { actor: Actor; withdraw: boolean }): Promise<DataState>;
  /**
   * Erases a verification that is due by the rules, or goes on with its erasure.
   * @returns `changed` if it was changed in the meantime; it is looked at again then
   */
  erase(
    verification: RetainedVerification,
    rules: RetentionRules,
    by: { actor: Actor; requested: boolean },
  ): Promise<'erased' | 'changed'>;
}

/** How long an erasure that has begun is left to the process that began it. */
export const RESUME_AFTER_MS: number = 5 * 60 * 1000;

/** How often a request that lost a race is decided again. */
const ATTEMPTS = 5;

export function createEraseVerification(ports: {
  retention: RetentionRepository;
  clock: Clock;
  ids: Ids;
  removeData: RemoveData;
  rulesOf: RulesOf;
  withdraw: (place: VerificationPlace, actor: Actor) => Promise<unknown>;
  onFault: (fault: unknown) => void;
}): EraseVerification {
  const { retention, clock, removeData, rulesOf, withdraw, onFault } = ports;
  const commit = createCommitMove(ports);

  /** Removes the data on request. Files that the store keeps for now, such as during a backup, are left to the job. */
  const removeOnRequest: RemoveData = async (place, cause) => {
    try {
      await removeData(place, cause);
    } catch (fault) {
      const isRemoved = ((await retention.find(place))?.erasureNumber ?? null) !== null;
      if (!isRemoved) throw fault;
      onFault(fault);
    }
  };

  const erase: EraseVerification['erase'] = async (verification, rules, { actor, requested }) => {
    const { clientId, id: verificationId } = verification;
    let begun = verification;
    if (verification.erasedAt === null) {
      const now = clock.now();
      const resumeAt = new Date(now.getTime() + RESUME_AFTER_MS);
      const started = startErasure(verification, { now, resumeAt, requested });
      if (!(await commit(verification, started, { at: now, actor }))) return 'changed';
      begun = started.next;
    }
    const remove = requested ? removeOnRequest : removeData;
    await remove({ clientId, verificationId }, { rule: ruleOf(begun, rules), actor });
    return 'erased';
  };

  /** @returns null if the verification was changed in the meantime */
  async function decide(verification: RetainedVerification, actor: Actor): Promise<DataState | null> {
    const rules = await rulesOf(verification.clientId);
    const now = clock.now();
    if (verification.erasedAt !== null) return dataStateOf(retainedOf(verification), rules, now);
    checkMove('requestErasure', verification);
    const requested = { ...verification, erasureRequestedAt: verification.erasureRequestedAt ?? now };
    const due = erasureDue(retainedOf(requested), rules);
    if (due !== null && due.at <= now) {
      const outcome = await erase(verification, rules, { actor, requested: true });
      return outcome === 'erased' ? { state: 'erased', until: null } : null;
    }
    const transition = requestErasure(verification, now);
    if (transition !== null && !(await commit(verification, transition, { at: now, actor }))) return null;
    return dataStateOf(retainedOf(requested), rules, now);
  }

  return {
    erase,

    async request(place, { actor, withdraw: mayWithdraw }) {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const verification = await retention.find(place);
        if (verification === null) throw new CountersignError('VERIFICATION_NOT_FOUND');
        if (verification.resolvedAt === null && mayWithdraw) {
          await withdraw(place, actor);
          continue;
        }
        const state = await decide(verification, actor);
        if (state !== null) return state;
      }
      throw new CountersignError('VERSION_CONFLICT');
    },
  };
}
