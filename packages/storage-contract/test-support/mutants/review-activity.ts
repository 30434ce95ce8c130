import { type ReviewActivity, type ReviewedRecord, reviewActivityOf } from '@countersign/domain/storage';
import { clientId } from '../../src/records/ids.ts';
import { reviewActivitySuite } from '../../src/suites/review-activity.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { verificationsOf } from './pages.ts';
import { type Break, eachValue, fail, moved, numbersAsText, toSeconds, verifications } from './patch.ts';

const { reviewActivity } = verifications;

/** Reads other records, or takes them otherwise. Null leaves one out. */
const reads = (taken: (record: ReviewedRecord) => ReviewedRecord | null, clients?: readonly string[]): Break =>
  reviewActivity.override(async ({ storage }, { clientId: id, ...days }) => {
    const records: ReviewedRecord[] = [];
    for (const client of clients ?? [id]) {
      for (const record of await verificationsOf(storage, client)) {
        const history = await storage.verifications.findWithHistory(client, record.id);
        const isRejectedByReview = history?.events.at(-1)?.type === 'verification.rejected';
        const one = taken({ ...record, isRejectedByReview });
        if (one !== null) records.push(one);
      }
    }
    return reviewActivityOf(records, days);
  });

const result = (change: (activity: ReviewActivity) => Partial<ReviewActivity>): Break =>
  reviewActivity.result((activity) => ({ ...activity, ...change(activity) }));

export const reviewActivityMutants: readonly Mutant[] = mutantsOf(reviewActivitySuite, {
  'reads another client too': reads((record) => record, [1, 2].map(clientId)),
  'fails for an unknown client': reviewActivity.override(async ({ next, storage }, query) =>
    (await storage.clients.find(query.clientId)) === null ? fail('no rows') : next(query),
  ),
  'leaves out what needs an action': reads((record) => (record.status === 'action_needed' ? null : record)),
  'counts what needs an action as waiting': reads((record) =>
    record.status === 'action_needed' ? { ...record, status: 'submitted' } : record,
  ),
  'counts days of another time zone': reads((record) => ({
    ...record,
    submittedAt: record.submittedAt && moved(record.submittedAt, 3_600_000),
    resolvedAt: record.resolvedAt && moved(record.resolvedAt, 3_600_000),
  })),
  'measures times in seconds': reads((record) => ({
    ...record,
    submittedAt: record.submittedAt && toSeconds(record.submittedAt),
    resolvedAt: record.resolvedAt && toSeconds(record.resolvedAt),
  })),
  'returns times below 0': result(({ medianMs }) => ({ medianMs: medianMs === 0 ? -3_600_000 : medianMs })),
  'returns a median as text': result(({ medianMs }) => eachValue({ medianMs }, numbersAsText)),
  'returns the mean of an even number': reviewActivity.override(async ({ next }, query) => {
    const activity = await next(query);
    const decided = activity.days.reduce((sum, { approved, rejected }) => sum + approved + rejected, 0);
    return decided % 2 === 0 && activity.medianMs !== null
      ? { ...activity, medianMs: activity.medianMs + 0.5 }
      : activity;
  }),
  'compares with one day less': reviewActivity.input(({ comparedFrom, days }) => ({
    comparedFrom: Math.min(comparedFrom + 1, days.from),
  })),
  'compares with one day more': reviewActivity.input(({ comparedFrom }) => ({ comparedFrom: comparedFrom - 1 })),
  'compares without being asked': reviewActivity.input(({ comparedFrom, days }) => ({
    comparedFrom: Math.min(comparedFrom, days.from - 2),
  })),
  'includes the day after the last': reviewActivity.input(({ days }) => ({
    days: { ...days, until: days.until + 1 },
  })),
  'returns days without numbers': result(({ days }) => ({
    days: [...days, { day: 1, submitted: 0, queued: 0, approved: 0, rejected: 0, medianMs: null }],
  })),
  'gives each day the median of all': result(({ days, medianMs }) => ({
    days: days.map((day) => ({ ...day, medianMs: day.medianMs === null ? null : medianMs })),
  })),
  'counts as queued what waits now only': result(({ days, waiting }) => ({
    days: days.map((day) => ({ ...day, queued: Math.min(day.queued, waiting) })),
  })),
  'counts as waiting what was submitted in the days only': reviewActivity.override(
    async ({ next, storage }, query) => {
      const activity = await next(query);
      const from = new Date(query.days.from * 24 * 3_600_000);
      const records = await verificationsOf(storage, query.clientId);
      const waiting = records.filter(
        ({ status, submittedAt }) => status === 'submitted' && submittedAt !== null && submittedAt >= from,
      );
      return { ...activity, waiting: waiting.length };
    },
  ),
  'returns the latest submission as the longest wait': reviewActivity.override(
    async ({ next, storage }, query) => {
      const activity = await next(query);
      const records = await verificationsOf(storage, query.clientId);
      const times = records.filter(({ status }) => status === 'submitted').map(({ submittedAt }) => submittedAt);
      return { ...activity, waitingSince: times.sort((a, b) => Number(b) - Number(a))[0] ?? null };
    },
  ),
});
