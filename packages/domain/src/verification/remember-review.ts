import type { Clock } from '../runtime.ts';
import type { ReviewActivity, ReviewActivityQuery } from './review-activity.ts';
import type { StatusCounts } from './status.ts';
import { totalOf } from './verification-counts.ts';

/** Longest time that a read is used again. */
const REMEMBERED_MS = 30_000;
/** Most clients whose review is remembered: a few kilobytes each. */
const REMEMBERED_MAX = 500;

type CreatedByDay = ReadonlyMap<number, StatusCounts>;

/** Reads the review of a client. `created` are its verifications by day and status, read before. */
export type ReadReview = (query: ReviewActivityQuery, created: CreatedByDay) => Promise<ReviewActivity>;

/**
 * Reads the review of a client again only if its submitted verifications have other statuses than at the last time, or after
 * 30 seconds: it counts thousands of decisions, and a page that a user returns to would count them each time. So numbers
 * are up to 30 seconds old after changes that `created` does not show: of verifications from before its days, and of two
 * verifications of one day that exchanged their statuses.
 */
export function rememberReview(
  read: (query: ReviewActivityQuery) => Promise<ReviewActivity>,
  clock: Clock,
): ReadReview {
  const remembered = new Map<string, { state: string; at: number; review: ReviewActivity }>();
  return async (query, created) => {
    const { clientId } = query;
    const now = clock.now().getTime();
    const state = JSON.stringify([query.days, query.comparedFrom, ...submittedByDay(created)]);
    const known = remembered.get(clientId);
    if (known?.state === state && now >= known.at && now < known.at + REMEMBERED_MS) return known.review;
    const review = await read(query);
    remembered.delete(clientId);
    if (remembered.size >= REMEMBERED_MAX) remembered.delete(remembered.keys().next().value ?? '');
    remembered.set(clientId, { state, at: now, review });
    return review;
  };
}

/** Leaves out verifications that wait for the subject: programs create them all the time, and the review has none of them. */
function submittedByDay(created: CreatedByDay): readonly (readonly [number, Omit<StatusCounts, 'pending'>])[] {
  return [...created].flatMap(([day, { pending, ...submitted }]) =>
    totalOf({ ...submitted, pending: 0 }) === 0 ? [] : [[day, submitted] as const],
  );
}
