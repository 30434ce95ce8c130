import type { BrowseFilter, BrowsePosition, VerificationRecord } from '@countersign/domain';
import { compareText } from './listing.ts';

/** Whether a record passes the filters of what a client's staff looks through. */
export function isBrowsed(
  record: VerificationRecord,
  { status, type, subjectReferencePrefix, requestedFrom, requestedUntil }: BrowseFilter,
): boolean {
  if (status !== undefined && record.status !== status) return false;
  if (type !== undefined && record.type !== type) return false;
  if (requestedFrom !== undefined && record.requestedAt < requestedFrom) return false;
  if (requestedUntil !== undefined && record.requestedAt >= requestedUntil) return false;
  return subjectReferencePrefix === undefined || record.subjectReference.startsWith(subjectReferencePrefix);
}

/** The newest first, ties broken by id, the greatest first. */
export function newestFirst(a: BrowsePosition, b: BrowsePosition): number {
  return b.requestedAt.getTime() - a.requestedAt.getTime() || compareText(b.id, a.id);
}

/** How many were requested on each day in UTC, the earliest day first. */
export function countedByDay(moments: readonly Date[]): { day: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const moment of moments) {
    const day = moment.toISOString().slice(0, 10);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts].map(([day, count]) => ({ day, count })).sort((a, b) => (a.day < b.day ? -1 : 1));
}
