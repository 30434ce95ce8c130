import type { Client, Storage, WrappedDataKey } from '@countersign/domain';
import { ownValuesSuite } from '../suites/own-values.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

/** Remembers what goes through an operation, by what it is of, and gives it out again without a copy. */
function sharing<T extends object>(keyOf: (value: T) => string): (value: T) => T {
  const held = new Map<string, T>();
  return (value) => {
    const known = held.get(keyOf(value));
    if (known !== undefined) return known;
    held.set(keyOf(value), value);
    return value;
  };
}

type Found = NonNullable<Awaited<ReturnType<Storage['verifications']['findWithEvents']>>>;
type Leased = Awaited<ReturnType<Storage['outbox']['lease']>>[number];

export const ownValuesMutants: readonly Mutant[] = mutantsOf(ownValuesSuite, {
  'keeps the record of a creation itself': (storage) => {
    const records = new Map<string, Found['record']>();
    return patched(storage, {
      verifications: {
        createCharged: (request) => {
          records.set(request.record.id, request.record);
          return storage.verifications.createCharged(request);
        },
        findWithEvents: async (clientId, id) => {
          const found = await storage.verifications.findWithEvents(clientId, id);
          return found && { ...found, record: records.get(id) ?? found.record };
        },
      },
    });
  },
  'keeps the events of a change themselves': (storage) => {
    const kept = new Map<number, Found['events'][number]>();
    return patched(storage, {
      verifications: {
        commit: (change) => {
          for (const event of change.events) kept.set(event.version, event);
          return storage.verifications.commit(change);
        },
        findWithEvents: async (clientId, id) => {
          const found = await storage.verifications.findWithEvents(clientId, id);
          return found && { ...found, events: found.events.map((event) => kept.get(event.version) ?? event) };
        },
      },
    });
  },
  'gives out the metadata that it holds': (storage) => {
    const share = sharing<Found['record']>(({ id, version }) => `${id} ${version}`);
    return patched(storage, {
      verifications: {
        find: async (...given) => {
          const found = await storage.verifications.find(...given);
          return found && share(found);
        },
        findWithEvents: async (...given) => {
          const found = await storage.verifications.findWithEvents(...given);
          return found && { ...found, record: share(found.record) };
        },
      },
    });
  },
  'gives out the data keys that it holds': (storage) => {
    const share = sharing<WrappedDataKey>(({ wrappedBy }) => wrappedBy);
    return patched(storage, {
      dataKeys: {
        find: async (...given) => {
          const found = await storage.dataKeys.find(...given);
          return found && share(found);
        },
      },
    });
  },
  'gives out the clients that it holds': (storage) => {
    const share = sharing<Awaited<ReturnType<Storage['clients']['list']>>[number]>(({ client }) => client.id);
    return patched(storage, { clients: { list: async () => (await storage.clients.list()).map(share) } });
  },
  'keeps what it gave out of a sandbox': (storage) => {
    const held = new Map<string, Client>();
    return patched(storage, {
      clients: {
        setSandbox: async (...given) => {
          const answer = await storage.clients.setSandbox(...given);
          if (answer.outcome === 'changed') held.set(answer.client.id, answer.client);
          return answer;
        },
        list: async () =>
          (await storage.clients.list()).map((entry) => ({
            ...entry,
            client: held.get(entry.client.id) ?? entry.client,
          })),
      },
    });
  },
  'gives out the pages that it holds': (storage) => {
    const share = sharing<Found['record']>(({ id }) => id);
    return patched(storage, {
      verifications: {
        browse: async (...given) => {
          const { records, totalCount } = await storage.verifications.browse(...given);
          return { records: records.map(share), totalCount };
        },
        findWithEvents: async (...given) => {
          const found = await storage.verifications.findWithEvents(...given);
          return found && { ...found, record: share(found.record) };
        },
      },
    });
  },
  'gives out the keys that it holds': (storage) => {
    const share = sharing<Awaited<ReturnType<Storage['apiKeys']['list']>>[number]>(({ id }) => id);
    return patched(storage, { apiKeys: { list: async (id) => (await storage.apiKeys.list(id)).map(share) } });
  },
  'gives out the subscription that it holds': (storage) => {
    const share = sharing<NonNullable<Awaited<ReturnType<Storage['apiKeys']['resolve']>>>>(({ key }) => key.id);
    return patched(storage, {
      apiKeys: {
        resolve: async (hash) => {
          const resolved = await storage.apiKeys.resolve(hash);
          return resolved && { ...resolved, subscription: share(resolved).subscription };
        },
      },
    });
  },
  'gives out the events that it holds': (storage) => {
    const share = sharing<Leased['event']>(({ id }) => id);
    return patched(storage, {
      outbox: {
        lease: async (request) =>
          (await storage.outbox.lease(request)).map(({ event, attempt }) => ({ event: share(event), attempt })),
      },
    });
  },
  'keeps the end of a lease itself': (storage) => {
    let held: Date | null = null;
    return patched(storage, {
      outbox: {
        lease: (request) => {
          const isOver = held !== null && request.now >= held;
          held = request.until;
          return storage.outbox.lease(isOver ? { ...request, now: new Date(8.64e15) } : request);
        },
      },
    });
  },
});
