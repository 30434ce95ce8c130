import { CountersignError } from '../errors.ts';
import { isHeld } from '../retention/data-state.ts';
import type { Ids, Runtime } from '../runtime.ts';
import { eventCountAfter } from '../verification/event-limit.ts';
import type { Actor, EventDraft } from '../verification/events.ts';
import { NO_HOLD } from '../verification/hold.ts';
import { checkMove } from '../verification/status.ts';
import { event } from '../verification/transition.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository, VerificationPlace } from './retention-repository.ts';

/** The result of a move that changes no document: the next state, and the event to write. */
export interface RetainedTransition {
  readonly next: RetainedVerification;
  readonly event: EventDraft | null;
}

/**
 * Sets when the client's relationship with the subject ended; null removes the end. Null if it is set to this already.
 * @throws CountersignError `ILLEGAL_TRANSITION`, `EVENT_LIMIT_REACHED`
 */
export function endRelationship(
  verification: RetainedVerification,
  endedAt: Date | null,
  now: Date,
): RetainedTransition | null {
  checkMove('endRelationship', verification);
  if (verification.relationshipEndedAt?.getTime() === endedAt?.getTime()) return null;
  const data = { endedAt: endedAt?.toISOString() ?? null };
  return moved(
    verification,
    { relationshipEndedAt: endedAt, retentionCheckAt: now },
    event('verification.relationship_ended', data),
  );
}

/** Ends a hold, whether it has an end or not. Null without a hold. @throws CountersignError `ILLEGAL_TRANSITION` */
export function releaseHold(verification: RetainedVerification, now: Date): RetainedTransition | null {
  checkMove('releaseHold', verification);
  if (verification.heldAt === null) return null;
  const retentionCheckAt = verification.resolvedAt === null ? null : now;
  return moved(verification, { ...NO_HOLD, retentionCheckAt }, event('verification.hold_released'));
}

/**
 * Notes that the erasure was requested: answers, files and metadata are hidden from now on. Null if it was requested before.
 * @throws CountersignError `ILLEGAL_TRANSITION`
 */
export function requestErasure(verification: RetainedVerification, now: Date): RetainedTransition | null {
  checkMove('requestErasure', verification);
  if (verification.erasureRequestedAt !== null) return null;
  const changes = { erasureRequestedAt: now, retentionCheckAt: now };
  return moved(verification, changes, event('verification.erasure_requested'));
}

/**
 * Begins the erasure: no other move is possible from now on. The removal of the data writes its event. For a first request, an
 * event without a webhook is written here. It tells a job that continues the erasure who began it.
 * @param resumeAt when the job continues the erasure if this process stops before it is done
 * @throws CountersignError `ILLEGAL_TRANSITION`
 * @throws Error if it is on hold, which is a fault: the caller checks
 */
export function startErasure(
  verification: RetainedVerification,
  { now, resumeAt, requested }: { now: Date; resumeAt: Date; requested: boolean },
): RetainedTransition {
  checkMove('startErasure', verification);
  if (isHeld(verification, now)) throw new Error('The verification is on hold');
  const isFirst = requested && verification.erasureRequestedAt === null;
  const erasureRequestedAt = isFirst ? now : verification.erasureRequestedAt;
  const written = isFirst ? event('verification.erasure_requested', { silent: true }) : null;
  return moved(
    verification,
    { ...NO_HOLD, erasureRequestedAt, erasedAt: now, retentionCheckAt: resumeAt },
    written,
  );
}

function moved(
  before: RetainedVerification,
  changes: Partial<RetainedVerification>,
  written: EventDraft | null,
): RetainedTransition {
  const eventCount = written === null ? before.eventCount : eventCountAfter(before, { event: written });
  return { next: { ...before, ...changes, version: before.version + 1, eventCount }, event: written };
}

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

export function createChangeRetained(
  ports: Pick<Runtime, 'clock' | 'ids'> & {
    retention: Pick<RetentionRepository, 'find' | 'change'>;
  },
): ChangeRetained {
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
