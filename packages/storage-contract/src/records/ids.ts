import type { Month } from '@countersign/domain/clients';

/**
 * Valid UUIDs, the same in every run. The first digits show what they name; the counter
 * comes last, so that ids of one kind are in its order.
 */
const uuid = (digit: string, count: number): string =>
  `${digit.repeat(8)}-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;

export const clientId = (n: number): string => uuid('c', n);
export const verificationId = (n: number): string => uuid('a', n);
export const eventId = (n: number): string => uuid('e', n);
export const keyId = (n: number): string => uuid('b', n);
export const endpointId = (n: number): string => uuid('f', n);
export const attemptId = (n: number): string => uuid('7', n);
export const mailId = (n: number): string => uuid('6', n);
export const exportId = (n: number): string => uuid('8', n);
export const leaseToken = (n: number): string => uuid('d', n);
/** The id that the domain creates when a case runs it. */
export const serviceId = (n: number): string => uuid('9', n);

/** The default id of an event, from its verification and version: unique also if a case chooses the ids of verifications. */
export function eventIdOf({ id, version }: { id: string; version: number }): string {
  return `eeeeeeee-${id.slice(9, 13)}-7${id.slice(5, 8)}-9${version.toString(16).padStart(3, '0')}-${id.slice(-12)}`;
}

/** The months that cases charge. `minute` is in March for the first three weeks of minutes. */
export const MARCH: Month = '2026-03';
export const APRIL: Month = '2026-04';

const START = Date.UTC(2026, 2, 10, 9);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The moment `n` minutes and some milliseconds after the start of a case. Negative numbers are before it. */
export function minute(n: number, milliseconds = 0): Date {
  return new Date(START + n * MINUTE_MS + milliseconds);
}

export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS);
}
