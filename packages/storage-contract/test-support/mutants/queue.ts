import type { QueuePosition, QueueQuery, Storage, VerificationRecord } from '@countersign/domain/storage';
import { dueInSandboxSuite } from '../../src/suites/due-in-sandbox.ts';
import { queueFiltersSuite, queueSuite } from '../../src/suites/queue.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  ALL,
  countPage,
  filtersAfterPaging,
  sizeMutants,
  verificationsOf,
  wholePageMutants,
  withTotalOf,
} from './pages.ts';
import { type Break, fail, remembering, toSeconds, verifications } from './patch.ts';

const { dueInSandbox, queue } = verifications;

type Compare = (a: VerificationRecord, b: VerificationRecord) => number;
type ComparePositions = (a: QueuePosition, b: QueuePosition) => number;

/** Chooses the page in another way, from all records that match, in their order. */
const chooses = (
  choose: (matching: readonly VerificationRecord[], query: QueueQuery) => readonly VerificationRecord[],
): Break =>
  queue.override(async ({ next }, query) => {
    const { records, totalCount } = await next({ ...query, after: undefined, limit: ALL });
    return { records: choose(records, query).slice(0, query.limit), totalCount };
  });

/** Puts the queue in another order, and begins each page where the last one ended in that order. */
const orders = (compare: Compare): Break =>
  chooses((records, { after }) => {
    const sorted = [...records].sort(compare);
    return sorted.slice(sorted.findIndex(({ id }) => id === after?.id) + 1);
  });

/** Begins the page with other records: those that are `isLater` than the position asked for. */
const begins = (isLater: (after: QueuePosition, record: VerificationRecord) => boolean): Break =>
  chooses((records, { after }) => records.filter((record) => after === undefined || isLater(after, record)));

const submittedAt = (record: QueuePosition, unknown = 9e15): number => record.submittedAt?.getTime() ?? unknown;
const byWait: ComparePositions = (a, b) => submittedAt(a) - submittedAt(b);
const byId: ComparePositions = (a, b) => (a.id < b.id ? -1 : 1);
const byClient: Compare = (a, b) => (a.clientId < b.clientId ? -1 : 1);

export const queueMutants: readonly Mutant[] = mutantsOf(queueSuite, {
  ...sizeMutants(queue),
  ...wholePageMutants(queue),
  'starts with the shortest wait': orders((a, b) => submittedAt(b, 0) - submittedAt(a, 0) || byId(a, b)),
  'orders by seconds': orders(
    (a, b) => Math.floor(submittedAt(a) / 1_000) - Math.floor(submittedAt(b) / 1_000) || byId(a, b),
  ),
  'breaks ties the other way': orders((a, b) => byWait(a, b) || byId(b, a)),
  'breaks ties by client': orders((a, b) => byWait(a, b) || byClient(a, b)),
  'sorts nulls first': orders((a, b) => submittedAt(a, 0) - submittedAt(b, 0) || byId(a, b)),
  'orders by the first submission': remembering(() => {
    const first = new Map<string, number>();
    return queue.override(async ({ next }, query) => {
      const { records, totalCount } = await next({ ...query, limit: ALL });
      const earlier = await next({ ...query, status: 'action_needed', limit: ALL });
      for (const record of [...earlier.records, ...records]) {
        first.set(record.id, first.get(record.id) ?? submittedAt(record, 0));
      }
      const sorted = [...records].sort((a, b) => (first.get(a.id) ?? 0) - (first.get(b.id) ?? 0));
      return { records: sorted.slice(0, query.limit), totalCount };
    });
  }),
  'counts no further than asked': queue.result(({ records, totalCount }, { countUpTo }) => ({
    records,
    totalCount: Math.min(totalCount, countUpTo),
  })),
  'counts from the position on': queue.twice(
    () => ({ limit: ALL }),
    (page, later) => withTotalOf(page, countPage(later)),
  ),
  'ends before verifications never submitted': begins(
    (after, record) => record.submittedAt !== null && (byWait(after, record) || byId(after, record)) < 0,
  ),
  'starts again with verifications never submitted': begins(
    (after, record) => record.submittedAt === null || (byWait(after, record) || byId(after, record)) < 0,
  ),
  'takes a position without a time for the first page': queue.input(({ after }) => ({
    after: after?.submittedAt === null ? undefined : after,
  })),
  'pages by offset': remembering(() => {
    let offset = 0;
    return chooses((records, { after, limit }) => {
      offset = after === undefined ? 0 : offset + limit;
      return records.slice(offset);
    });
  }),
});

export const queueFiltersMutants: readonly Mutant[] = mutantsOf(queueFiltersSuite, {
  'filters after paging': filtersAfterPaging(queue),
  ...queue.ignoring('isResubmitted'),
  'counts verifications submitted once': queue.override(async ({ next }, query) => ({
    ...(await next(query)),
    totalCount: (await next({ ...query, isResubmitted: false })).totalCount,
  })),
  'returns resubmitted verifications whatever their status': queue.override(({ next }, query) =>
    query.isResubmitted && query.status === 'approved' ? next({ ...query, isResubmitted: false }) : next(query),
  ),
  'never forgets that a verification was resubmitted': verifications.commit.override(
    async ({ next, storage }, change) => {
      const stored = await storage.verifications.find(change.record.clientId, change.record.id);
      const isResubmitted = change.record.isResubmitted || stored?.isResubmitted === true;
      return next({ ...change, record: { ...change.record, isResubmitted } });
    },
  ),
  'ignores claimedBy: null': queue.input(({ claimedBy }) => ({ claimedBy: claimedBy ?? undefined })),
  'ignores empty texts': queue.input(({ clientId, claimedBy }) => ({
    clientId: clientId || undefined,
    claimedBy: claimedBy === '' ? undefined : claimedBy,
  })),
  'compares claimants without case': queue.input(({ claimedBy }) => ({
    claimedBy: claimedBy?.toLowerCase() ?? claimedBy,
  })),
  'fails on a client id that is not a UUID': queue.input(({ clientId }) =>
    clientId?.length === 36 ? {} : fail('invalid input syntax for type uuid'),
  ),
});

interface Candidate {
  readonly record: VerificationRecord;
  readonly isTwin: boolean;
}

async function candidatesOf(storage: Storage): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const { client } of await storage.clients.list()) {
    const records = await verificationsOf(storage, client.id);
    candidates.push(...records.map((record) => ({ record, isTwin: client.testOf !== null })));
  }
  return candidates;
}

const isUnderWay = ({ status }: VerificationRecord): boolean => status === 'pending' || status === 'submitted';
const isDriven = ({ record, isTwin }: Candidate): boolean => isTwin && record.sandboxOutcome !== null;
const isDue = (each: Candidate): boolean =>
  isDriven(each) && each.record.claimedBy === null && isUnderWay(each.record);
const oldestFirst: Compare = (a, b) => Number(a.requestedAt) - Number(b.requestedAt);

/** Takes other verifications as due, or in another order. */
const takes = (isTaken: (candidate: Candidate) => boolean, order = oldestFirst): Break =>
  dueInSandbox.override(async ({ storage }, limit) => {
    const taken = (await candidatesOf(storage)).filter(isTaken).map(({ record }) => record);
    return taken.sort(order).slice(0, limit);
  });

/** Changes each record that is due. */
const gives = (fields: Partial<VerificationRecord>): Break =>
  dueInSandbox.result((records) => records.map((record) => ({ ...record, ...fields })));

export const dueInSandboxMutants: readonly Mutant[] = mutantsOf(dueInSandboxSuite, {
  'orders by seconds': takes(
    isDue,
    (a, b) => Number(toSeconds(a.requestedAt)) - Number(toSeconds(b.requestedAt)) || byId(a, b),
  ),
  'returns no metadata': gives({ metadata: {} }),
});
