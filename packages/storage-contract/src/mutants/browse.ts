import type { BrowsePosition, VerificationRecord } from '@countersign/domain';
import { clientId } from '../records/ids.ts';
import { browseSuite } from '../suites/browse.ts';
import { browsing, browsingFor, browsingInto, paging } from './browsing.ts';
import { toSeconds } from './lossy.ts';
import { type Mutant, mutantsOf, roundTrip } from './mutant.ts';

type Compare = (a: BrowsePosition, b: BrowsePosition) => number;

const byMoment: Compare = (a, b) => Number(b.requestedAt) - Number(a.requestedAt);
const byId: Compare = (a, b) => (a.id < b.id ? 1 : -1);
const bySecond: Compare = (a, b) => Number(toSeconds(b.requestedAt)) - Number(toSeconds(a.requestedAt));

/** In an order of its own, each page from where the last one ended in it. */
const ordering = (compare: Compare): Mutant['breakIn'] =>
  paging((records, { after }) =>
    [...records].sort(compare).filter((record) => after === undefined || compare(after, record) < 0),
  );

const keeping = (keep: (record: VerificationRecord) => Partial<VerificationRecord>): Mutant['breakIn'] =>
  browsingInto(({ records, totalCount }) => ({
    records: records.map((record) => ({ ...record, ...keep(record) })),
    totalCount,
  }));

export const browseMutants: readonly Mutant[] = mutantsOf(browseSuite, {
  'fails where nothing is': browsingInto((page) => {
    if (page.totalCount === 0) throw new Error('no rows');
    return page;
  }),
  'begins with the oldest': ordering((a, b) => -(byMoment(a, b) || byId(a, b))),
  'orders by seconds': ordering((a, b) => bySecond(a, b) || byId(a, b)),
  'breaks ties the other way': ordering((a, b) => byMoment(a, b) || -byId(a, b)),
  'orders by the id alone': ordering(byId),
  'has records without metadata': keeping(() => ({ metadata: {} })),
  'has records without their sandbox': keeping(() => ({ sandboxOutcome: null })),
  'has records without their claims': keeping(() => ({ claimedBy: null })),
  'has other answers than are stored': keeping(() => ({ answers: { steps: {} } })),
  'holds one too many': browsingFor(({ limit }) => ({ limit: limit + 1 })),
  'begins with the first one always': browsingFor(() => ({ after: undefined })),
  'begins with the position itself': paging((records, { after }) =>
    records.filter((record) => {
      if (after === undefined || record.id === after.id) return true;
      return (byMoment(after, record) || byId(after, record)) < 0;
    }),
  ),
  'begins after the moment': paging((records, { after }) =>
    records.filter((record) => after === undefined || byMoment(after, record) < 0),
  ),
  'begins at the moment': paging((records, { after }) =>
    records.filter((record) => after === undefined || byMoment(after, record) <= 0),
  ),
  'begins after what is less in both': paging((records, { after }) =>
    records.filter((record) => after === undefined || (byMoment(after, record) <= 0 && byId(after, record) < 0)),
  ),
  'looks for the verification of the position': paging((records, { after }) =>
    after === undefined ? records : records.slice(records.findIndex(({ id }) => id === after.id) + 1),
  ),
  'counts from the position on': (storage) =>
    browsing(storage, async (next, id, query) => {
      const all = await next(id, { ...query, limit: 1_000 });
      return { records: all.records.slice(0, query.limit), totalCount: all.records.length };
    }),
  'counts nothing past the end': browsingInto(({ records, totalCount }) => ({
    records,
    totalCount: records.length === 0 ? 0 : totalCount,
  })),
  'counts without the filters': (storage) =>
    browsing(storage, async (next, id, query) => {
      const { records } = await next(id, query);
      return { records, totalCount: (await next(id, { ...query, type: undefined })).totalCount };
    }),
  'pages by offset': (storage) => {
    let offset = 0;
    return paging((records, { after, limit }) => {
      offset = after === undefined ? 0 : offset + limit;
      return records.slice(offset);
    })(storage);
  },
  'keeps the total of the first page': (storage) => {
    let first: number | undefined;
    return browsingInto(({ records, totalCount }, { after }) => {
      first = after === undefined ? totalCount : first;
      return { records, totalCount: first ?? totalCount };
    })(storage);
  },
  'looks through all clients’': (storage) =>
    browsing(storage, async (next, _, query) => {
      const pages = await Promise.all([1, 2, 3].map((n) => next(clientId(n), query)));
      const totalCount = pages.reduce((sum, page) => sum + page.totalCount, 0);
      return { records: pages.flatMap(({ records }) => records), totalCount };
    }),
  'counts all clients’': (storage) =>
    browsing(storage, async (next, id, query) => {
      const pages = await Promise.all([1, 2, 3].map((n) => next(clientId(n), query)));
      return { ...(await next(id, query)), totalCount: pages.reduce((sum, page) => sum + page.totalCount, 0) };
    }),
  'reads the page first and counts later': (storage) =>
    browsing(storage, async (next, id, query) => {
      const { records } = await next(id, query);
      await roundTrip();
      return { records, totalCount: (await next(id, query)).totalCount };
    }),
});
