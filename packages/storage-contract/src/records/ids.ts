/**
 * Identifiers that are valid UUIDs, the same in every run, and tell by their first digits what they name. The counter
 * stands last, so ids of one kind are ordered by it.
 */
const uuid = (digit: string, count: number): string =>
  `${digit.repeat(8)}-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;

export const clientId = (n: number): string => uuid('c', n);
export const verificationId = (n: number): string => uuid('a', n);
export const eventId = (n: number): string => uuid('e', n);
export const keyId = (n: number): string => uuid('b', n);
export const leaseToken = (n: number): string => uuid('d', n);
/** What the service itself makes when a case drives it. */
export const serviceId = (n: number): string => uuid('9', n);

/** An event's own id where a case does not choose one: from the verification and the version it brought about. */
export function eventIdOf({ id, version }: { id: string; version: number }): string {
  return `eeeeeeee-0000-7000-9${version.toString(16).padStart(3, '0')}-${id.slice(-12)}`;
}
