import type { SubjectType } from './flow.ts';
import { shortReference } from './short-reference.ts';
import { EXPIRING_STATUSES, type Status, statusCounts } from './status.ts';
import { dayOf, type VerificationCounts } from './verification-counts.ts';
import type { VerificationRecord } from './verification-record.ts';
import type {
  BrowseFilter,
  BrowsePosition,
  QueuePosition,
  QueueQuery,
  VerificationQuery,
  VerificationRepository,
} from './verification-repository.ts';
import { hasToBeChecked } from './warnings/review-warning.ts';

// Filters and orders of `VerificationRepository`, for storages that do without queries of a database.

/** Whether a record of the client passes the filters of `VerificationRepository.list`. */
export function isListed(
  record: VerificationRecord,
  { status, type, subjectReference }: Pick<VerificationQuery, 'status' | 'type' | 'subjectReference'>,
): boolean {
  if (status !== undefined && record.status !== status) return false;
  if (type !== undefined && record.type !== type) return false;
  return subjectReference === undefined || record.subjectReference === subjectReference;
}

/**
 * Returns the order of `VerificationRepository.list`, to sort by: nulls last in both directions, ties broken by request time, then by id,
 * in the same direction.
 */
export function listOrder({
  sortBy,
  sortOrder,
}: Pick<VerificationQuery, 'sortBy' | 'sortOrder'>): (a: VerificationRecord, b: VerificationRecord) => number {
  const direction = sortOrder === 'asc' ? 1 : -1;
  return (a, b) => {
    const [left, right] = [a[sortBy], b[sortBy]];
    if (left === null || right === null) {
      if (left !== right) return left === null ? 1 : -1;
      return direction * browseOrder(b, a);
    }
    return direction * (compare(left, right) || browseOrder(b, a));
  };
}

/** Filters of `VerificationRepository.queue` that one record passes or does not. */
export type QueueFilter = Pick<
  QueueQuery,
  'status' | 'type' | 'clientId' | 'claimedBy' | 'isWarned' | 'isResubmitted'
>;

/**
 * Whether filters of the queue match no verification: only a submitted one is marked as resubmitted, and a pending one has neither claim
 * nor warnings.
 */
export function matchesNothing({ status, claimedBy, isWarned, isResubmitted }: QueueFilter): boolean {
  if (isResubmitted === true && status !== 'submitted') return true;
  return status === 'pending' && (typeof claimedBy === 'string' || isWarned === true);
}

/** Whether a record passes the filters of `VerificationRepository.queue`. */
export function isQueued(record: VerificationRecord, filter: QueueFilter): boolean {
  const { status, type, clientId, claimedBy, isWarned, isResubmitted } = filter;
  if (matchesNothing(filter)) return false;
  if (isWarned === true && !hasToBeChecked(record.severity)) return false;
  if (isResubmitted === true && !record.isResubmitted) return false;
  if (record.status !== status || (type !== undefined && record.type !== type)) return false;
  if (clientId !== undefined && record.clientId !== clientId) return false;
  return claimedBy === undefined || record.claimedBy === claimedBy;
}

/** Compares in the order of `VerificationRepository.queue`: the longest wait first, verifications never submitted last, ties by id. */
export function queueOrder(a: QueuePosition, b: QueuePosition): number {
  const [left, right] = [a.submittedAt?.getTime() ?? Infinity, b.submittedAt?.getTime() ?? Infinity];
  return left === right ? compareText(a.id, b.id) : left - right;
}

function compare(a: string | number | Date, b: string | number | Date): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return Number(a) - Number(b);
}

/**
 * Compares texts by Unicode code point, which is the order of their UTF-8 bytes. JavaScript's own `<` compares UTF-16 units and differs
 * past U+FFFF.
 *
 * @example
 * import { compareText } from '@countersign/domain/storage';
 *
 * ['😀', '\uff01'].sort(compareText); // ['\uff01', '😀']
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

/** Whether a record of the client passes the filters of `VerificationRepository.browse`. */
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

/** Compares in the order of `VerificationRepository.browse`: newest first, ties broken by id, the greatest first. */
export function browseOrder(a: BrowsePosition, b: BrowsePosition): number {
  return b.requestedAt.getTime() - a.requestedAt.getTime() || compareText(b.id, a.id);
}

/** Whether `VerificationRepository.findByShortReference` finds a record. */
export function isReferenced(
  { id, clientId }: Pick<VerificationRecord, 'id' | 'clientId'>,
  request: Pick<Parameters<VerificationRepository['findByShortReference']>[0], 'reference' | 'clientId'>,
): boolean {
  // The reference of an id that is not a UUID is the id itself, which finds nothing.
  const reference = shortReference(id);
  if (reference !== request.reference || reference === id) return false;
  return request.clientId === undefined || clientId === request.clientId;
}

/** Whether `VerificationRepository.dueForExpiry` finds a record. */
export function isDueForExpiry(
  { status, requestedAt, linkExpiresAt }: VerificationRecord,
  { linkEndedBy, requestedBy }: Parameters<VerificationRepository['dueForExpiry']>[0],
): boolean {
  return EXPIRING_STATUSES.includes(status) && requestedAt <= requestedBy && linkExpiresAt <= linkEndedBy;
}

/** Compares in the order of `VerificationRepository.dueForExpiry`: by client, status and type, then the oldest first, ties by id. */
export function expiryOrder(a: VerificationRecord, b: VerificationRecord): number {
  return (
    compareText(a.clientId, b.clientId) ||
    compareText(a.status, b.status) ||
    compareText(a.type, b.type) ||
    browseOrder(b, a)
  );
}

/** Counts records of one client as `VerificationRepository.counts` does: by day of the request, type and status. */
export function countRecords(records: readonly VerificationRecord[]): VerificationCounts[] {
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
