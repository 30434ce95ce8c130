import { type LoadRecord, type ReviewLoad, reviewLoadOf, type Storage } from '@countersign/domain/storage';
import { reviewLoadSuite } from '../../src/suites/review-load.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { verificationsOf } from './pages.ts';
import { type Break, eachValue, fail, moved, numbersAsText, verifications } from './patch.ts';

const { reviewLoad } = verifications;

/** What a storage may take otherwise. */
interface Taken extends LoadRecord {
  readonly isTest: boolean;
  readonly lastType: string | undefined;
}

/** Reads records, and takes them otherwise. Null leaves one out. */
const reads = (taken: (record: Taken) => LoadRecord | null): Break =>
  reviewLoad.override(async ({ storage }, query) => reviewLoadOf(await taking(storage, taken), query));

async function taking(storage: Storage, taken: (record: Taken) => LoadRecord | null): Promise<LoadRecord[]> {
  const records: LoadRecord[] = [];
  for (const { id, testOf, flowSettings } of await everyClient(storage)) {
    for (const record of await verificationsOf(storage, id)) {
      const last = (await storage.verifications.findWithHistory(id, record.id))?.events.at(-1);
      const isReview = last?.type === 'verification.approved' || last?.type === 'verification.rejected';
      const decidedBy = isReview ? (last?.actor.id ?? null) : null;
      const one = taken({
        ...record,
        dueHours: flowSettings.dueHours,
        decidedBy,
        isTest: testOf !== null,
        lastType: last?.type,
      });
      if (one !== null) records.push(one);
    }
  }
  return records;
}

async function everyClient({ clients }: Storage) {
  return (await clients.list()).map(({ client }) => client);
}

const liveOnly =
  (change: (record: Taken) => LoadRecord): ((record: Taken) => LoadRecord | null) =>
  (record) =>
    record.isTest ? null : change(record);

const result = (change: (load: ReviewLoad) => Partial<ReviewLoad>): Break =>
  reviewLoad.result((load) => ({ ...load, ...change(load) }));

export const reviewLoadMutants: readonly Mutant[] = mutantsOf(reviewLoadSuite, {
  'counts what needs an action as waiting': reads(
    liveOnly((record) => (record.status === 'action_needed' ? { ...record, status: 'submitted' } : record)),
  ),
  'takes one due time for all clients': reads(
    liveOnly((record) => ({ ...record, dueHours: record.dueHours === null ? null : 24 })),
  ),
  'takes no due time for a day': reads(liveOnly((record) => ({ ...record, dueHours: record.dueHours ?? 24 }))),
  'takes hours for days': reads(
    liveOnly((record) => ({ ...record, dueHours: record.dueHours === null ? null : record.dueHours * 24 })),
  ),
  'takes the due moment for overdue': reviewLoad.input(({ now }) => ({ now: moved(now, 1) })),
  'returns a median as text': result(({ medianMs }) => eachValue({ medianMs }, numbersAsText)),
  'returns the time of the submission as overdue since': reviewLoad.override(async ({ next, storage }, query) => {
    const load = await next(query);
    return load.overdue === 0
      ? load
      : {
          ...load,
          overdueSince: reviewLoadOf(
            await taking(
              storage,
              liveOnly((one) => one),
            ),
            query,
          ).waitingSince,
        };
  }),
  'counts overdue among the latest only': result(({ overdue }) => ({ overdue: Math.min(overdue, 1) })),
  'fails without clients': reviewLoad.override(async ({ next, storage }, query) =>
    (await everyClient(storage)).length === 0 ? fail('no rows') : next(query),
  ),
});
