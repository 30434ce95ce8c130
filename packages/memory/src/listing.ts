import type { Status, SubjectType } from '@countersign/domain';
import {
  type BrowseFilter,
  type BrowsePosition,
  dayOf,
  type QueuePosition,
  type QueueQuery,
  statusCounts,
  type VerificationCounts,
  type VerificationQuery,
  type VerificationRecord,
} from '@countersign/domain/storage';

/** Whether a record passes the filters of a query. */
export function isMatch(
  record: VerificationRecord,
  { status, type, subjectReference }: Pick<VerificationQuery, 'status' | 'type' | 'subjectReference'>,
): boolean {
  if (status !== undefined && record.status !== status) return false;
  if (type !== undefined && record.type !== type) return false;
  return subjectReference === undefined || record.subjectReference === subjectReference;
}

/** The order of a query: nulls last in both directions, ties broken by request time, then by id, in the same direction. */
export function inOrder({
  sortBy,
  sortOrder,
}: Pick<VerificationQuery, 'sortBy' | 'sortOrder'>): (a: VerificationRecord, b: VerificationRecord) => number {
  const direction = sortOrder === 'asc' ? 1 : -1;
  return (a, b) => {
    const [left, right] = [a[sortBy], b[sortBy]];
    if (left === null || right === null) {
      if (left !== right) return left === null ? 1 : -1;
      return direction * newestFirst(b, a);
    }
    return direction * (compare(left, right) || newestFirst(b, a));
  };
}

/** Whether a record passes the filters of a reviewer's query. */
export function isQueued(
  record: VerificationRecord,
  { status, type, clientId, claimedBy }: Pick<QueueQuery, 'status' | 'type' | 'clientId' | 'claimedBy'>,
): boolean {
  if (record.status !== status || (type !== undefined && record.type !== type)) return false;
  if (clientId !== undefined && record.clientId !== clientId) return false;
  return claimedBy === undefined || record.claimedBy === claimedBy;
}

/** The order of the queue: the longest wait first, verifications never submitted last, ties by id. */
export function longestWaitFirst(a: QueuePosition, b: QueuePosition): number {
  const [left, right] = [a.submittedAt?.getTime() ?? Infinity, b.submittedAt?.getTime() ?? Infinity];
  return left === right ? compareText(a.id, b.id) : left - right;
}

function compare(a: string | number | Date, b: string | number | Date): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return Number(a) - Number(b);
}

/**
 * By Unicode code point, as databases compare UTF-8. JavaScript's own `<` goes by UTF-16 unit and differs past U+FFFF.
 */
export function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (const [index, character] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const difference = (character.codePointAt(0) as number) - (other.codePointAt(0) as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Whether a record passes the filters of `browse`. */
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

/** The order of `browse`: newest first, ties broken by id, the greatest first. */
export function newestFirst(a: BrowsePosition, b: BrowsePosition): number {
  return b.requestedAt.getTime() - a.requestedAt.getTime() || compareText(b.id, a.id);
}

/** Orders by client, status and type, and in each group the oldest first, ties broken by id. */
export function byGroup(a: VerificationRecord, b: VerificationRecord): number {
  return (
    compareText(a.clientId, b.clientId) ||
    compareText(a.status, b.status) ||
    compareText(a.type, b.type) ||
    newestFirst(b, a)
  );
}

/** Counts records by day of the request, type and status. */
export function countsOf(records: readonly VerificationRecord[]): VerificationCounts[] {
  const found = new Map<string, { day: number; type: SubjectType; counts: Record<Status, number> }>();
  for (const { requestedAt, type, status } of records) {
    const day = dayOf(requestedAt);
    const key = `${day} ${type}`;
    const counted = found.get(key) ?? { day, type, counts: { ...statusCounts([]) } };
    counted.counts[status] += 1;
    found.set(key, counted);
  }
  return [...found.values()];
}
