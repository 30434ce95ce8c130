import type { SubjectType } from './flow.ts';
import { STATUSES, type StatusCounts, statusCounts } from './status.ts';

/** Numbers of a client's verifications of one type that were requested on one day. */
export interface VerificationCounts {
  /** Days since 1970-01-01 in UTC. */
  readonly day: number;
  readonly type: SubjectType;
  readonly counts: StatusCounts;
}

/** Days since 1970-01-01 in UTC. */
export interface DayRange {
  readonly from: number;
  /** The first day after the range. */
  readonly until: number;
}

/** Which of all counts: those of one client, day and type. */
export type CountKey = Pick<VerificationCounts, 'day' | 'type'> & { readonly clientId: string };

/** Counts that are not the numbers of the verifications. */
export interface CountDifference extends CountKey {
  /** The counts that the storage keeps; they may be negative. */
  readonly kept: StatusCounts;
  /** The numbers of verifications at the same moment. */
  readonly counted: StatusCounts;
}

/** Length of a day in UTC, in ms: days in UTC all have 24 hours. */
export const DAY_MS: number = 24 * 60 * 60 * 1000;

/** Returns the day of a moment, in days since 1970-01-01 in UTC. */
export function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS);
}

/** Returns a day as `YYYY-MM-DD`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the sum over all statuses. */
export function totalOf(counts: StatusCounts): number {
  return STATUSES.reduce((sum, status) => sum + counts[status], 0);
}

/**
 * Returns counts as `VerificationRepository.counts` does: a number that something tampered with is not below 0, and what
 * has no verifications is left out.
 */
export function presentCounts(all: readonly VerificationCounts[]): VerificationCounts[] {
  return all
    .map((each) => ({ ...each, counts: withoutNegatives(each.counts) }))
    .filter(({ counts }) => totalOf(counts) > 0);
}

/** Replaces numbers below 0 by 0. */
export function withoutNegatives(counts: StatusCounts): StatusCounts {
  const entries = STATUSES.map((status) => [status, Math.max(0, counts[status])]);
  return Object.fromEntries(entries) as StatusCounts;
}

/** Returns the kept counts of a client that are not the counted ones, the earliest day first. Counts that are missing are 0. */
export function compareCounts(
  clientId: string,
  kept: readonly VerificationCounts[],
  counted: readonly VerificationCounts[],
): CountDifference[] {
  const keyOf = ({ day, type }: Pick<CountKey, 'day' | 'type'>) => `${day} ${type}`;
  const countsAt = (all: readonly VerificationCounts[]) => new Map(all.map((each) => [keyOf(each), each.counts]));
  const [keptAt, countedAt] = [countsAt(kept), countsAt(counted)];
  const keys = new Map([...kept, ...counted].map(({ day, type }) => [keyOf({ day, type }), { day, type }]));
  return [...keys]
    .map(([key, { day, type }]) => ({
      clientId,
      day,
      type,
      kept: keptAt.get(key) ?? NONE,
      counted: countedAt.get(key) ?? NONE,
    }))
    .filter((each) => STATUSES.some((status) => each.kept[status] !== each.counted[status]))
    .sort((a, b) => a.day - b.day || (a.type < b.type ? -1 : 1));
}

const NONE: StatusCounts = statusCounts([]);
