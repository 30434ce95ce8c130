import type { QueueQuery } from '@countersign/domain';
import { queueFiltersSuite } from '../suites/queue-filters.ts';
import { queueing } from './around.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

/** Asks for something else than it was asked for. */
const asking =
  (change: (query: QueueQuery) => Partial<QueueQuery>): Mutant['breakIn'] =>
  (storage) =>
    queueing(storage, (next, query) => next({ ...query, ...change(query) }));

export const queueFiltersMutants: readonly Mutant[] = mutantsOf(queueFiltersSuite, {
  'has what is submitted alone': asking(() => ({ status: 'submitted' })),
  'passes over the type': asking(() => ({ type: undefined })),
  'passes over the client': asking(() => ({ clientId: undefined })),
  'passes over who claimed': asking(() => ({ claimedBy: undefined })),
  'takes nobody for anybody': asking(({ claimedBy }) => (claimedBy === null ? { claimedBy: undefined } : {})),
  'takes anybody for nobody': asking(({ claimedBy }) => (claimedBy === undefined ? { claimedBy: null } : {})),
  'takes an empty text for none': asking(({ clientId, claimedBy }) => ({
    clientId: clientId || undefined,
    claimedBy: claimedBy === '' ? undefined : claimedBy,
  })),
  'finds claims without regard to case': (storage) =>
    queueing(storage, async (next, query) =>
      next({ ...query, claimedBy: query.claimedBy?.toLowerCase() ?? query.claimedBy }),
    ),
  'fails on a client that is no UUID': (storage) =>
    queueing(storage, async (next, query) => {
      if (query.clientId?.length !== 36) throw new Error('invalid input syntax for type uuid');
      return next(query);
    }),
  'shows what nobody claimed besides': (storage) =>
    queueing(storage, async (next, query) => {
      if (typeof query.claimedBy !== 'string') return next(query);
      const [own, free] = [await next(query), await next({ ...query, claimedBy: null })];
      return { records: [...own.records, ...free.records], totalCount: own.totalCount + free.totalCount };
    }),
  'filters the page and not the whole': (storage) =>
    queueing(storage, async (next, query) => {
      const { records } = await next({ ...query, type: undefined });
      const { totalCount } = await next(query);
      return { records: records.filter(({ type }) => [undefined, type].includes(query.type)), totalCount };
    }),
});
