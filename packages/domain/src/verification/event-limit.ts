import { CountersignError } from '../errors.ts';
import { DECIDING_EVENT_TYPES, type EventType } from './events.ts';
import type { Transition } from './transition.ts';

/**
 * Most events of one verification. Only its decision and what removes its data may exceed it. Storages enforce it for open
 * verifications as well (`eventCount` of `VerificationRecord`).
 */
export const MAX_EVENTS = 1_000;

/** Most events before one of `UNBOUNDED_TYPES`. The rest is kept for what the subject and the reviewers still have to do. */
const MAX_BEFORE_UNBOUNDED = 800;

/** Events that nothing else bounds: they can be repeated without a change of status. */
const UNBOUNDED_TYPES: readonly EventType[] = [
  'verification.file_attached',
  'verification.claimed',
  'verification.noted',
  'verification.link_renewed',
  'verification.relationship_ended',
  'verification.held',
];

/** Events that are always possible. */
const UNLIMITED_TYPES: readonly EventType[] = [
  ...DECIDING_EVENT_TYPES,
  'verification.hold_released',
  'verification.erasure_requested',
  'verification.data_erased',
];

/**
 * Returns the number of events after a transition.
 * @param eventCount the number before it
 * @throws CountersignError `EVENT_LIMIT_REACHED`; never for one of `UNLIMITED_TYPES`
 */
export function eventCountAfter(
  eventCount: number,
  { event, supersededVersion }: Pick<Transition, 'event' | 'supersededVersion'>,
): number {
  if (supersededVersion !== undefined) return eventCount;
  const limit = UNBOUNDED_TYPES.includes(event.type) ? MAX_BEFORE_UNBOUNDED : MAX_EVENTS;
  if (!UNLIMITED_TYPES.includes(event.type) && eventCount >= limit)
    throw new CountersignError('EVENT_LIMIT_REACHED');
  return eventCount + 1;
}
