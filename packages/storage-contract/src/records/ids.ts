import type { Month } from '@countersign/domain';

/**
 * Identifiers that are valid UUIDs, the same in every run, and tell by their first digits what they name. The counter
 * comes last, so ids of one kind are ordered by it.
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

/** The months that cases charge to. `minute` lies in March for the first three weeks' worth of minutes. */
export const MARCH: Month = '2026-03';
export const APRIL: Month = '2026-04';

const START = Date.UTC(2026, 2, 10, 9);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The moment `n` minutes (and some milliseconds) after the start of every case; negative numbers are before it. */
export function minute(n: number, milliseconds = 0): Date {
  return new Date(START + n * MINUTE_MS + milliseconds);
}

export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS);
}
