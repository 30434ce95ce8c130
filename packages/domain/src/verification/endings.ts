import { SYSTEM_REASONS, type SystemReason } from './decision.ts';
import { DECIDING_EVENT_TYPES, type DecidingEventType, type EventType, type VerificationEvent } from './events.ts';
import type { VerificationRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** Returns the type of the event that decided a verification; null if there is none. */
export function decidingTypeIn(events: readonly Pick<VerificationEvent, 'type'>[]): DecidingEventType | null {
  return DECIDING_EVENT_TYPES.find((type) => events.some((event) => event.type === type)) ?? null;
}

/** Returns how an event of this type ends a verification without a review; null if it does not. */
export function endingOf(type: string | null): SystemReason | null {
  return SYSTEM_REASONS.find((reason) => type === `verification.${reason}`) ?? null;
}

/** Returns how a verification ended without a review. Reads the types of its events, which stay when an erasure removes their data. */
export function endedBy(events: readonly Pick<VerificationEvent, 'type'>[]): SystemReason | null {
  return endingOf(decidingTypeIn(events));
}

/** The types of events that end a verification without a review. */
export const ENDING_EVENT_TYPES: readonly EventType[] = DECIDING_EVENT_TYPES.filter(
  (type) => endingOf(type) !== null,
);

/** The types of events by which reviewers decide a verification. */
export const REVIEW_EVENT_TYPES: readonly EventType[] = DECIDING_EVENT_TYPES.filter(
  (type) => endingOf(type) === null,
);

/** Makes the result of `VerificationRepository.findEndings` from types of events. Ignores types that end nothing. */
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
 * Reads how the verifications of a page ended without a review. Looks up the rejected ones only, of which most pages have few.
 * @returns a function that returns how a verification of the page ended; null if not without a review
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
