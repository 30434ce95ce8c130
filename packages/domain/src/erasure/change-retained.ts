import { CountersignError } from '../errors.ts';
import type { Clock, Ids } from '../runtime.ts';
import type { Actor } from '../verification/events.ts';
import type { RetainedTransition } from './moves.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository, VerificationPlace } from './retention-repository.ts';

/** Stores a move. Returns whether it was stored; otherwise the verification was changed meanwhile. */
export type CommitMove = (
  before: RetainedVerification,
  transition: RetainedTransition,
  by: { readonly at: Date; readonly actor: Actor },
) => Promise<boolean>;

export function createCommitMove(ports: { retention: Pick<RetentionRepository, 'change'>; ids: Ids }): CommitMove {
  const { retention, ids } = ports;
  return async (before, { next, event }, by) => {
    const { clientId, id: verificationId, version, status } = next;
    const events =
      event === null ? [] : [{ id: ids.next(), clientId, verificationId, version, status, ...by, ...event }];
    const change = { verification: next, expectedVersion: before.version, events };
    return (await retention.change(change)).outcome === 'committed';
  };
}

/**
 * Makes one move that changes no document: reads, decides, compares and sets. A change that lost a race is decided again. `decide`
 * returns null if there is nothing to change.
 * @returns the verification after the move
 * @throws CountersignError `VERIFICATION_NOT_FOUND`, `VERSION_CONFLICT`, and the errors of `decide`
 */
export type ChangeRetained = (
  place: VerificationPlace,
  actor: Actor,
  decide: (verification: RetainedVerification, now: Date) => RetainedTransition | null,
) => Promise<RetainedVerification>;

/** How often a change that lost a race is decided again on the current state. */
const ATTEMPTS = 5;

export function createChangeRetained(ports: {
  retention: Pick<RetentionRepository, 'find' | 'change'>;
  clock: Clock;
  ids: Ids;
}): ChangeRetained {
  const { retention, clock } = ports;
  const commit = createCommitMove(ports);
  return async (place, actor, decide) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const verification = await retention.find(place);
      if (verification === null) throw new CountersignError('VERIFICATION_NOT_FOUND');
      const at = clock.now();
      const transition = decide(verification, at);
      if (transition === null) return verification;
      if (await commit(verification, transition, { at, actor })) return transition.next;
    }
    throw new CountersignError('VERSION_CONFLICT');
  };
}
