import { CountersignError } from '../errors.ts';
import { DECIDING_EVENT_TYPES, type EventType } from './events.ts';
import { isActive, type Status } from './status.ts';
import type { Transition } from './transition.ts';

/**
 * Most events of one verification. Only its decision, what comes after that, and what removes its data may exceed it. Storages
 * enforce it for open verifications as well (`eventCount` of `VerificationRecord`).
 */
export const MAX_EVENTS = 1_000;

/** Most events before one of `UNBOUNDED_TYPES`. The rest is kept for what the subject and the reviewers still have to do. */
const MAX_BEFORE_UNBOUNDED = 800;

/** Most events before a hold of an open verification. API keys and the subject cannot use up the difference. */
const MAX_BEFORE_HOLD = 900;

/** Most events before another end of the relationship: a verification that was decided at the limit leaves room for some. */
const MAX_BEFORE_RELATIONSHIP_END = MAX_EVENTS + 100;

/** Events that nothing else bounds: they can be repeated without a change of status. */
const UNBOUNDED_TYPES: readonly EventType[] = [
  'verification.file_attached',
  'verification.claimed',
  'verification.noted',
  'verification.link_renewed',
];

/** Events that are always possible. Holds and releases are as well, once the verification is decided. */
const UNLIMITED_TYPES: readonly EventType[] = [
  ...DECIDING_EVENT_TYPES,
  'verification.erasure_requested',
  'verification.data_erased',
];

/**
 * Returns the number of events after a transition.
 * @param before the status and the number before it
 * @throws CountersignError `EVENT_LIMIT_REACHED`
 */
export function eventCountAfter(
  { status, eventCount }: { readonly status: Status; readonly eventCount: number },
  { event, supersededVersion }: Pick<Transition, 'event' | 'supersededVersion'>,
): number {
  if (supersededVersion !== undefined) return eventCount;
  if (eventCount >= limitOf(event.type, status)) throw new CountersignError('EVENT_LIMIT_REACHED');
  return eventCount + 1;
}

/** Returns how many events a verification in this status may have before one of this type. */
function limitOf(type: EventType, status: Status): number {
  if (UNLIMITED_TYPES.includes(type)) return Number.POSITIVE_INFINITY;
  if (type === 'verification.held') return isActive(status) ? MAX_BEFORE_HOLD : Number.POSITIVE_INFINITY;
  if (type === 'verification.hold_released') return isActive(status) ? MAX_EVENTS : Number.POSITIVE_INFINITY;
  if (type === 'verification.relationship_ended') return MAX_BEFORE_RELATIONSHIP_END;
  return UNBOUNDED_TYPES.includes(type) ? MAX_BEFORE_UNBOUNDED : MAX_EVENTS;
}
