import type { ClientWithSubscription, Storage } from '@countersign/domain';
import { aClient, aSubscription } from '../records/clients.ts';
import { clientsSuite } from '../suites/clients.ts';
import { toSeconds } from './lossy.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

export const clientsMutants: readonly Mutant[] = mutantsOf(clientsSuite, {
  'keeps moments to the second': (storage) =>
    keeping(storage, ({ client, subscription }) => ({
      client: { ...client, createdAt: toSeconds(client.createdAt) },
      subscription,
    })),
  'keeps names in ASCII': (storage) =>
    keeping(storage, ({ client, subscription }) => ({
      client: { ...client, name: client.name.replace(/[^ -~]/g, '?') },
      subscription,
    })),
  'forgets that a client is a sandbox': (storage) =>
    keeping(storage, ({ client, subscription }) => ({ client: { ...client, sandbox: false }, subscription })),
  'lists sandboxes as ordinary clients': (storage) =>
    patched(storage, {
      clients: {
        list: async () =>
          (await storage.clients.list()).map((entry) => ({
            ...entry,
            client: { ...entry.client, sandbox: false },
          })),
      },
    }),
  'ends what is open-ended': (storage) =>
    keeping(storage, ({ client, subscription }) => ({
      client,
      subscription: subscription && { ...subscription, endsAt: subscription.endsAt ?? new Date(8.64e15) },
    })),
  'limits what has no limit of its own': (storage) =>
    keeping(storage, ({ client, subscription }) => ({
      client,
      subscription: subscription && { ...subscription, monthlyLimit: subscription.monthlyLimit ?? 1_000 },
    })),
  'gives every client a subscription': (storage) =>
    keeping(storage, ({ client, subscription }) => ({ client, subscription: subscription ?? aSubscription() })),
  'finds some client for an unknown id': (storage) =>
    patched(storage, {
      clients: {
        find: async (id) => (await storage.clients.find(id)) ?? (await storage.clients.list())[0] ?? null,
      },
    }),
  'adds the subscription to a client that exists': (storage) =>
    patched(storage, {
      clients: {
        create: async (entry) => {
          const answer = await storage.clients.create(entry);
          if (answer.outcome === 'exists' && entry.subscription !== null) {
            await storage.clients.changeSubscription(entry.client.id, entry.subscription, entry.subscription);
          }
          return answer;
        },
      },
    }),
  'looks first and creates later': (storage) =>
    patched(storage, {
      clients: {
        create: async (entry) => {
          if ((await storage.clients.find(entry.client.id)) !== null) return { outcome: 'exists' };
          await roundTrip();
          await storage.clients.create(entry);
          return { outcome: 'created' };
        },
      },
    }),
  'lists the newest first': (storage) =>
    patched(storage, { clients: { list: async () => [...(await storage.clients.list())].reverse() } }),
  'leaves ties in the order of writing': (storage) => {
    const written: string[] = [];
    const place = ({ client }: ClientWithSubscription): number => written.indexOf(client.id);
    return patched(storage, {
      clients: {
        create: (entry) => {
          written.push(entry.client.id);
          return storage.clients.create(entry);
        },
        list: async () =>
          [...(await storage.clients.list())].sort(
            (a, b) => a.client.createdAt.getTime() - b.client.createdAt.getTime() || place(a) - place(b),
          ),
      },
    });
  },
  'lists a client of its own': (storage) =>
    patched(storage, {
      clients: {
        list: async () => [...(await storage.clients.list()), { client: aClient(99), subscription: null }],
      },
    }),
  'refuses a name that is taken': (storage) =>
    patched(storage, {
      clients: {
        create: async (entry) => {
          const others = await storage.clients.list();
          const isTaken = others.some(({ client }) => client.name === entry.client.name);
          return isTaken ? { outcome: 'exists' } : storage.clients.create(entry);
        },
      },
    }),
  'counts all months as one': (storage) =>
    patched(storage, { clients: { usedIn: (id) => storage.clients.usedIn(id, '2026-03') } }),
  'does not know what an unknown client used': (storage) =>
    patched(storage, {
      clients: {
        usedIn: async (id, month) =>
          (await storage.clients.find(id)) === null ? Number.NaN : storage.clients.usedIn(id, month),
      },
    }),
});

function keeping(storage: Storage, keep: (entry: ClientWithSubscription) => ClientWithSubscription): Storage {
  return patched(storage, { clients: { create: (entry) => storage.clients.create(keep(entry)) } });
}
