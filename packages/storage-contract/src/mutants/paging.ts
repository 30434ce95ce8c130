import type { VerificationQuery } from '@countersign/domain';
import { pagingSuite } from '../suites/paging.ts';
import { listing } from './around.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

/** Asks for something else than it was asked for. */
const asking =
  (change: (query: VerificationQuery) => Partial<VerificationQuery>): Mutant['breakIn'] =>
  (storage) =>
    listing(storage, (next, clientId, query) => next(clientId, { ...query, ...change(query) }));

export const pagingMutants: readonly Mutant[] = mutantsOf(pagingSuite, {
  'begins one too far': asking(({ offset }) => ({ offset: offset === 0 ? 0 : offset + 1 })),
  'begins one too early': asking(({ offset }) => ({ offset: Math.max(0, offset - 1) })),
  'takes the offset for a page number': asking(({ offset, limit }) => ({ offset: offset * limit })),
  'holds one too many': asking(({ limit }) => ({ limit: limit + 1 })),
  'counts the page instead of all': (storage) =>
    listing(storage, async (next, ...given) => {
      const { records } = await next(...given);
      return { records, totalCount: records.length };
    }),
  'counts nothing past the end': (storage) =>
    listing(storage, async (next, ...given) => {
      const { records, totalCount } = await next(...given);
      return { records, totalCount: records.length === 0 ? 0 : totalCount };
    }),
  'counts without the filters': (storage) =>
    listing(storage, async (next, clientId, query) => {
      const { records } = await next(clientId, query);
      return { records, totalCount: (await next(clientId, { ...query, type: undefined })).totalCount };
    }),
  'begins anew past the end': asking(({ offset }) => ({ offset: offset % 24 })),
  'has offsets of 32 bits': asking(({ offset }) => ({ offset: Math.max(0, offset | 0) })),
  'fails on offsets of more than 32 bits': (storage) =>
    listing(storage, async (next, clientId, query) => {
      if (query.offset > 2 ** 31) throw new Error('integer out of range');
      return next(clientId, query);
    }),
  'leaves ties as they come': (storage) =>
    listing(storage, async (next, clientId, query) => {
      const { records, totalCount } = await next(clientId, query);
      const isWhole = query.offset === 0 && query.limit > records.length;
      return { records: isWhole ? records : [...records].reverse(), totalCount };
    }),
  'filters the page after cutting it': (storage) =>
    listing(storage, async (next, clientId, query) => {
      const { totalCount } = await next(clientId, query);
      const { records } = await next(clientId, { ...query, type: undefined });
      return {
        records: records.filter(({ type }) => query.type === undefined || type === query.type),
        totalCount,
      };
    }),
});
