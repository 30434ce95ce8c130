import type { Storage } from '@countersign/domain';
import { clientId } from '../records/ids.ts';
import { isolationSuite } from '../suites/isolation.ts';
import { committing, creating, listing } from './around.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

export const isolationMutants: readonly Mutant[] = mutantsOf(isolationSuite, {
  'finds another client’s verification': (storage) =>
    patched(storage, { verifications: { find: (_, id) => storage.verifications.findForAnyClient(id) } }),
  'finds another client’s history': (storage) =>
    patched(storage, {
      verifications: {
        findWithEvents: async (_, id) => {
          const found = await storage.verifications.findForAnyClient(id);
          return found && storage.verifications.findWithEvents(found.clientId, id);
        },
      },
    }),
  'finds by another client’s key': (storage) =>
    patched(storage, {
      verifications: {
        findByIdempotencyKey: (_, key) => storage.verifications.findByIdempotencyKey(clientId(2), key),
      },
    }),
  'lists for all clients': (storage) =>
    listing(storage, async (next, _, query) => {
      const lists = await Promise.all([1, 2, 3].map((n) => next(clientId(n), query)));
      const totalCount = lists.reduce((sum, each) => sum + each.totalCount, 0);
      return { records: lists.flatMap(({ records }) => records), totalCount };
    }),
  'counts for all clients': (storage) =>
    listing(storage, async (next, id, query) => {
      const lists = await Promise.all([1, 2, 3].map((n) => next(clientId(n), query)));
      return { ...(await next(id, query)), totalCount: lists.reduce((sum, each) => sum + each.totalCount, 0) };
    }),
  'lists keys of all clients': (storage) =>
    patched(storage, { apiKeys: { list: async () => inAll(storage, (id) => storage.apiKeys.list(id)) } }),
  'counts the use of all clients': (storage) =>
    patched(storage, {
      clients: {
        usedIn: async (_, month) => {
          const used = await inAll(storage, async (id) => [await storage.clients.usedIn(id, month)]);
          return used.reduce((sum, each) => sum + each, 0);
        },
      },
    }),
  'commits under another client’s id': (storage) =>
    committing(storage, async (next, change) => {
      const owner = await storage.verifications.findForAnyClient(change.record.id);
      return next(owner === null ? change : { ...change, record: { ...change.record, clientId: owner.clientId } });
    }),
  'notes the use of another client’s key': (storage) =>
    patched(storage, {
      apiKeys: {
        recordUse: async (use) => {
          await inAll(storage, async (id) => [await storage.apiKeys.recordUse({ ...use, clientId: id })]);
        },
      },
    }),
  'acknowledges for whichever client': (storage) =>
    patched(storage, {
      outbox: {
        ack: async (hold, at) => {
          const answers = await inAll(storage, async (id) => [
            await storage.outbox.ack({ ...hold, clientId: id }, at),
          ]);
          return answers.find(({ outcome }) => outcome === 'done') ?? { outcome: 'lease_lost' };
        },
      },
    }),
  'gives back for whichever client': (storage) =>
    patched(storage, {
      outbox: {
        fail: async (hold, at) => {
          const answers = await inAll(storage, async (id) => [
            await storage.outbox.fail({ ...hold, clientId: id }, at),
          ]);
          return answers.find(({ outcome }) => outcome === 'done') ?? { outcome: 'lease_lost' };
        },
      },
    }),
  'mixes up clients who write at once': (storage) => {
    let client = '';
    return creating(storage, async (next, request) => {
      client = request.record.clientId;
      await roundTrip();
      return next({ ...request, record: { ...request.record, clientId: client } });
    });
  },
});

/** The results of all clients together. */
async function inAll<T>(storage: Storage, read: (clientId: string) => Promise<readonly T[]>): Promise<T[]> {
  const results: T[] = [];
  for (const { client } of await storage.clients.list()) results.push(...(await read(client.id)));
  return results;
}
