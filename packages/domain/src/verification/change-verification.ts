import { CountersignError } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Actor } from './actor.ts';
import { eventOf } from './events.ts';
import { unknownVerification } from './read-verifications.ts';
import type { Transition } from './transition.ts';
import type { Verification } from './verification.ts';
import { fromRecord, toRecord, type VerificationRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** How often a change that lost a race is decided anew on the fresh state. */
const ATTEMPTS = 5;

export interface Change {
  readonly find: () => Promise<VerificationRecord | null>;
  readonly decide: (verification: Verification, now: Date) => Transition;
  readonly actor: Actor;
  /**
   * The version that the actor saw and decided upon. When given, a change in between is `VERSION_CONFLICT`; when
   * left out, the change is decided anew on the fresh state.
   */
  readonly expectedVersion?: number | undefined;
}

/**
 * Makes one move of one verification: read, decide purely, compare and set.
 * @throws `VERIFICATION_NOT_FOUND`, `VERSION_CONFLICT`, and whatever `decide` throws
 */
export type ChangeVerification = (change: Change) => Promise<Verification>;

export function createChangeVerification(ports: {
  verifications: VerificationRepository;
  clock: Clock;
  ids: Ids;
}): ChangeVerification {
  const { verifications, clock, ids } = ports;

  return async ({ find, decide, actor, expectedVersion }) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const record = await find();
      if (record === null) throw unknownVerification();
      if (expectedVersion !== undefined && record.version !== expectedVersion) throw changedMeanwhile();

      const now = clock.now();
      const { next, happening } = decide(fromRecord(record), now);
      const event = eventOf(next, happening, { id: ids.next(), at: now, actor });
      const change = { record: toRecord(next), expectedVersion: record.version, events: [event] };
      const { outcome } = await verifications.commit(change);
      if (outcome === 'committed') return next;
    }
    throw changedMeanwhile();
  };
}

function changedMeanwhile(): CountersignError {
  return new CountersignError('VERSION_CONFLICT', 'The verification was changed by somebody else in the meantime');
}
