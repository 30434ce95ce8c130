import type { SubjectType } from './flow.ts';
import { isActive, type Status } from './status.ts';
import { DAY_MS } from './verification-counts.ts';
import type { SortField, VerificationQuery } from './verification-repository.ts';

/** The verifications of a client with one status and one type, and their number. */
export interface VerificationGroup {
  readonly status: Status;
  readonly type: SubjectType;
  readonly count: number;
}

/** Number of verifications requested on a day. Several entries of one day add up. */
export interface DayCount {
  /** Days since 1970-01-01 in UTC. */
  readonly day: number;
  readonly count: number;
}

/** Consecutive verifications of some groups, in the order of one field. Ties are broken by `requestedAt`, then by `id`. */
export interface PageSlice {
  /** None is empty. A verification with another status or type is not read. */
  readonly groups: readonly VerificationGroup[];
  /** Never null in these groups. */
  readonly orderedBy: Exclude<SortField, 'status' | 'type'>;
  /** Direction in which to read, ties included. */
  readonly direction: 'asc' | 'desc';
  /** Requested at this time or later. */
  readonly requestedFrom: Date | undefined;
  /** Requested before this time. */
  readonly requestedUntil: Date | undefined;
  /** Number of verifications to skip. */
  readonly offset: number;
  readonly limit: number;
  /** The page has these verifications in the opposite order. */
  readonly reversed: boolean;
}

/** A part of a list that one slice can read: the groups are merged in the order of one field. */
type Run = Pick<PageSlice, 'groups' | 'orderedBy' | 'direction'>;

/** Filters by group, order and page of a list. Subjects are not counted, so a filter by reference has no plan. */
export type PlannedQuery = Omit<VerificationQuery, 'subjectReference'>;

/** Number of verifications that a storage skips one by one. Reading the counts of all days costs more than that. */
const SKIPPED_ONE_BY_ONE = 1_000;

/** Returns the groups that the filters match, without empty ones. */
export function matchingGroups<Group extends VerificationGroup>(
  groups: readonly Group[],
  { status, type }: Pick<PlannedQuery, 'status' | 'type'>,
): readonly Group[] {
  return groups.filter(
    (group) =>
      group.count > 0 &&
      (status === undefined || group.status === status) &&
      (type === undefined || group.type === type),
  );
}

/** Adds up the counts of groups. */
export function countOf(groups: readonly VerificationGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Plans a page of a list: the slices to read, one after the other, each from the end of its run that is nearer. Runs before the page
 * are skipped by their counts.
 * @param groups of the client, with their counts at the moment of the reading
 */
export function planPage(query: PlannedQuery, groups: readonly VerificationGroup[]): readonly PageSlice[] {
  const slices: PageSlice[] = [];
  let { offset, limit } = query;
  for (const run of runsOf(query, matchingGroups(groups, query))) {
    const count = countOf(run.groups);
    const taken = Math.min(limit, count - offset);
    if (taken > 0) {
      slices.push(fromNearerEnd({ ...run, ...WHOLE_TIME, offset, limit: taken, reversed: false }, count));
      limit -= taken;
    }
    offset = Math.max(0, offset - count);
  }
  return slices;
}

/** Whether a slice begins so deep that it should be read by days. */
export function isDeep({ orderedBy, offset }: PageSlice): boolean {
  return orderedBy === 'requestedAt' && offset > SKIPPED_ONE_BY_ONE;
}

/**
 * Replaces a deep slice by slices that begin in the day of its first verification, at the nearer end of that day. Days before it
 * are skipped by their counts.
 * @param days with verifications of the groups of the slice, in any order
 */
export function skipDays(slice: PageSlice, days: readonly DayCount[]): readonly PageSlice[] {
  const isAscending = slice.direction === 'asc';
  let { offset } = slice;
  for (const [day, count] of sumsByDay(days, slice.direction)) {
    if (offset >= count) {
      offset -= count;
      continue;
    }
    const [from, until] = [new Date(day * DAY_MS), new Date((day + 1) * DAY_MS)];
    const begun = { ...slice, offset, ...(isAscending ? { requestedFrom: from } : { requestedUntil: until }) };
    const ofDay = {
      ...begun,
      requestedFrom: from,
      requestedUntil: until,
      limit: Math.min(slice.limit, count - offset),
    };
    const nearer = fromNearerEnd(ofDay, count);
    if (nearer.reversed === slice.reversed) return [begun];
    const left = slice.limit - ofDay.limit;
    if (left === 0) return [nearer];
    const later = isAscending ? { requestedFrom: until } : { requestedUntil: from };
    const rest = { ...slice, ...later, offset: 0, limit: left };
    return slice.reversed ? [rest, nearer] : [nearer, rest];
  }
  return [];
}

const WHOLE_TIME = { requestedFrom: undefined, requestedUntil: undefined };

function runsOf({ sortBy, sortOrder: direction }: PlannedQuery, groups: PageSlice['groups']): readonly Run[] {
  switch (sortBy) {
    case 'status':
    case 'type': {
      const values = [...new Set(groups.map((group) => group[sortBy]))].sort();
      if (direction === 'desc') values.reverse();
      return values.map((value) => ({
        groups: groups.filter((group) => group[sortBy] === value),
        orderedBy: 'requestedAt',
        direction,
      }));
    }
    case 'resolvedAt':
      return [
        { groups: groups.filter(({ status }) => !isActive(status)), orderedBy: 'resolvedAt', direction },
        { groups: groups.filter(({ status }) => isActive(status)), orderedBy: 'requestedAt', direction },
      ];
    default:
      return [{ groups, orderedBy: sortBy, direction }];
  }
}

/** @param count of verifications that the slice is a part of */
function fromNearerEnd(slice: PageSlice, count: number): PageSlice {
  const after = count - slice.offset - slice.limit;
  if (slice.offset <= after) return slice;
  const direction = slice.direction === 'asc' ? 'desc' : 'asc';
  return { ...slice, direction, offset: after, reversed: !slice.reversed };
}

function sumsByDay(days: readonly DayCount[], direction: 'asc' | 'desc'): [day: number, count: number][] {
  const sums = new Map<number, number>();
  for (const { day, count } of days) sums.set(day, (sums.get(day) ?? 0) + Math.max(0, count));
  const sign = direction === 'asc' ? 1 : -1;
  return [...sums].sort(([a], [b]) => sign * (a - b));
}
