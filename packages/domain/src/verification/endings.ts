import { SYSTEM_REASONS, type SystemReason } from './decision.ts';
import { DECIDING_EVENT_TYPES, type DecidingEventType, type EventType, type VerificationEvent } from './events.ts';
import type { VerificationRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** Returns the type of the event that decided a verification; null if there is none. */
export function decidingTypeIn(events: readonly Pick<VerificationEvent, 'type'>[]): DecidingEventType | null {
  return DECIDING_EVENT_TYPES.find((type) => events.some((event) => event.type === type)) ?? null;
}

/** Returns the way of ending without a review that an event of this type is; null for every other. */
export function endingOf(type: string | null): SystemReason | null {
  return SYSTEM_REASONS.find((reason) => type === `verification.${reason}`) ?? null;
}

/** Returns how a verification ended without a review. The events say it, whose data an erasure removes, and their types stay. */
export function endedBy(events: readonly Pick<VerificationEvent, 'type'>[]): SystemReason | null {
  return endingOf(decidingTypeIn(events));
}

/** The types of events that end a verification without a review. */
export const ENDING_EVENT_TYPES: readonly EventType[] = DECIDING_EVENT_TYPES.filter(
  (type) => endingOf(type) !== null,
);

/** Makes the result of `VerificationRepository.findEndings` from types of events. Types that end nothing may be among them. */
export function endingsOf(
  events: Iterable<readonly [verificationId: string, type: string]>,
): ReadonlyMap<string, SystemReason> {
  const endings = new Map<string, SystemReason>();
  for (const [verificationId, type] of events) {
    const ending = endingOf(type);
    if (ending !== null) endings.set(verificationId, ending);
  }
  return endings;
}

type Ended = Pick<VerificationRecord, 'clientId' | 'id' | 'status'>;

/**
 * Reads how the verifications of a page ended without a review. Most pages have a rejected one at most now and then, and only
 * those are looked up.
 * @returns a function that tells it of each; null for every other
 */
export async function readEndings(
  verifications: Pick<VerificationRepository, 'findEndings'>,
  page: readonly Ended[],
): Promise<(one: Pick<Ended, 'id'>) => SystemReason | null> {
  const rejected = page.filter(({ status }) => status === 'rejected');
  if (rejected.length === 0) return () => null;
  const endings = await verifications.findEndings(
    rejected.map(({ clientId, id }) => ({ clientId, verificationId: id })),
  );
  return ({ id }) => endings.get(id) ?? null;
}
