import { LIST_LIMIT_MAX, type QueueQuery, type VerificationRecord } from '@countersign/domain';
import { queueSuite } from '../suites/queue.ts';
import { queueing } from './around.ts';
import { type Mutant, mutantsOf, roundTrip } from './mutant.ts';

/** Asks for something else than it was asked for. */
const asking =
  (change: (query: QueueQuery) => Partial<QueueQuery>): Mutant['breakIn'] =>
  (storage) =>
    queueing(storage, (next, query) => next({ ...query, ...change(query) }));

/** Puts the queue in another order. */
const ordering =
  (compare: (a: VerificationRecord, b: VerificationRecord) => number): Mutant['breakIn'] =>
  (storage) =>
    queueing(storage, async (next, query) => {
      const { records, totalCount } = await next({ ...query, offset: 0, limit: LIST_LIMIT_MAX });
      const sorted = [...records].sort(compare);
      return { records: sorted.slice(query.offset, query.offset + query.limit), totalCount };
    });

const waitOf = ({ submittedAt }: VerificationRecord, unknown: number): number => submittedAt?.getTime() ?? unknown;
const byId = (a: VerificationRecord, b: VerificationRecord): number => (a.id < b.id ? -1 : 1);

export const queueMutants: readonly Mutant[] = mutantsOf(queueSuite, {
  'fails where nothing waits': (storage) =>
    queueing(storage, async (next, query) => {
      const page = await next(query);
      if (page.totalCount === 0) throw new Error('no rows');
      return page;
    }),
  'orders by the request': ordering((a, b) => Number(a.requestedAt) - Number(b.requestedAt)),
  'begins with the last': ordering((a, b) => waitOf(b, 0) - waitOf(a, 0) || byId(a, b)),
  'orders by seconds': ordering(
    (a, b) => Math.floor(waitOf(a, 9e15) / 1_000) - Math.floor(waitOf(b, 9e15) / 1_000) || byId(a, b),
  ),
  'breaks ties the other way': ordering((a, b) => waitOf(a, 9e15) - waitOf(b, 9e15) || byId(b, a)),
  'breaks ties by client': ordering(
    (a, b) => waitOf(a, 9e15) - waitOf(b, 9e15) || (a.clientId < b.clientId ? -1 : 1),
  ),
  'puts nulls first': ordering((a, b) => waitOf(a, 0) - waitOf(b, 0) || byId(a, b)),
  'orders by the first submission': (storage) => {
    const first = new Map<string, number>();
    return queueing(storage, async (next, query) => {
      const page = await next({ ...query, offset: 0, limit: LIST_LIMIT_MAX });
      const { records } = await next({ ...query, status: 'action_needed', offset: 0, limit: LIST_LIMIT_MAX });
      const seen = [...records, ...page.records];
      for (const record of seen) first.set(record.id, first.get(record.id) ?? waitOf(record, 0));
      const sorted = [...page.records].sort((a, b) => (first.get(a.id) ?? 0) - (first.get(b.id) ?? 0));
      return { ...page, records: sorted.slice(query.offset, query.offset + query.limit) };
    });
  },
  'has records without metadata': (storage) =>
    queueing(storage, async (next, query) => {
      const { records, totalCount } = await next(query);
      return { records: records.map((record) => ({ ...record, metadata: {} })), totalCount };
    }),
  'has other answers than are stored': (storage) =>
    queueing(storage, async (next, query) => {
      const { records, totalCount } = await next(query);
      return { records: records.map((record) => ({ ...record, answers: { steps: {} } })), totalCount };
    }),
  'has one client’s alone': (storage) =>
    queueing(storage, async (next, query) => {
      const [first] = (await next({ ...query, offset: 0 })).records;
      return next({ ...query, clientId: first?.clientId });
    }),
  'begins one too far': asking(({ offset }) => ({ offset: offset === 0 ? 0 : offset + 1 })),
  'takes the offset for a page number': asking(({ offset, limit }) => ({ offset: offset * limit })),
  'holds one too many': asking(({ limit }) => ({ limit: limit + 1 })),
  'counts the page instead of all': (storage) =>
    queueing(storage, async (next, query) => {
      const { records } = await next(query);
      return { records, totalCount: records.length };
    }),
  'counts without the filters': (storage) =>
    queueing(storage, async (next, query) => {
      const { records } = await next(query);
      return { records, totalCount: (await next({ ...query, type: undefined })).totalCount };
    }),
  'has offsets of 32 bits': asking(({ offset }) => ({ offset: Math.max(0, offset | 0) })),
  'counts nothing past the end': (storage) =>
    queueing(storage, async (next, query) => {
      const { records, totalCount } = await next(query);
      return { records, totalCount: records.length === 0 ? 0 : totalCount };
    }),
  'reads the page first and counts later': (storage) =>
    queueing(storage, async (next, query) => {
      const { records } = await next(query);
      await roundTrip();
      return { records, totalCount: (await next(query)).totalCount };
    }),
});
