import {
  type Client,
  type ClientWithSubscription,
  type Subscription,
  testTwinOf,
} from '@countersign/domain/clients';
import {
  type ClientPosition,
  type ClientRepository,
  clientNameKey,
  compareText,
  type SubscriptionChange,
} from '@countersign/domain/storage';
import { keyOf, type Tables } from './tables.ts';

export function createClients({ clients, subscriptions, usage }: Tables): ClientRepository {
  const withSubscription = (clientId: string): ClientWithSubscription | null => {
    const client = clients.get(clientId);
    return client === undefined
      ? null
      : structuredClone({ client, subscription: subscriptions.get(clientId) ?? null });
  };

  return {
    async create({ client, subscription, test }) {
      if (clients.has(client.id)) return { outcome: 'exists' };
      clients.set(client.id, structuredClone(client));
      if (test !== undefined) clients.set(test.id, structuredClone(test));
      if (subscription !== null) subscriptions.set(client.id, structuredClone(subscription));
      return { outcome: 'created' };
    },

    async testTwin(clientId, ifMissing) {
      const client = clients.get(clientId);
      if (client === undefined || client.testOf !== null) return null;
      const present = [...clients.values()].find(({ testOf }) => testOf === clientId);
      const twin = present ?? testTwinOf(client, ifMissing);
      clients.set(twin.id, twin);
      return structuredClone(twin);
    },

    find: async (clientId) => withSubscription(clientId),

    async list() {
      const all = [...clients.keys()].flatMap((id) => withSubscription(id) ?? []);
      return all.sort((a, b) => a.client.createdAt.getTime() - b.client.createdAt.getTime() || order(a, b));
    },

    async search({ namePrefix, after, limit }) {
      const prefix = clientNameKey(namePrefix);
      const matching = [...clients.values()].filter(
        ({ name, testOf }) => testOf === null && clientNameKey(name).startsWith(prefix),
      );
      const left = matching.filter((client) => after === undefined || byName(after, client) < 0);
      const page = left.sort(byName).slice(0, limit);
      return { entries: page.flatMap(({ id }) => withSubscription(id) ?? []), totalCount: matching.length };
    },

    async names(clientIds) {
      const known = clientIds.flatMap((id): Client | [] => clients.get(id) ?? []);
      return new Map(known.map(({ id, name, testOf }) => [id, { name, testOf }]));
    },

    async changeSubscription(clientId, change, initial) {
      if (!clients.has(clientId)) return { outcome: 'client_not_found' };
      const present = subscriptions.get(clientId);
      const subscription = present === undefined ? initial : merged(present, change);
      if (subscription === null) return { outcome: 'no_subscription' };
      subscriptions.set(clientId, structuredClone(subscription));
      return { outcome: 'changed', subscription: structuredClone(subscription) };
    },

    async setReturnAddresses(clientId, returnAddresses) {
      const present = clients.get(clientId);
      if (present === undefined) return { outcome: 'client_not_found' };
      const client = { ...present, returnAddresses: [...returnAddresses] };
      clients.set(clientId, client);
      return { outcome: 'changed', client: structuredClone(client) };
    },

    async setFileAccess(clientId, fileAccess) {
      const present = clients.get(clientId);
      if (present === undefined) return { outcome: 'client_not_found' };
      const client = { ...present, fileAccess };
      clients.set(clientId, client);
      return { outcome: 'changed', client: structuredClone(client) };
    },

    usedIn: async (clientId, month) => usage.get(keyOf(clientId, month))?.used ?? 0,
  };
}

const order = (a: ClientWithSubscription, b: ClientWithSubscription): number =>
  a.client.id < b.client.id ? -1 : 1;

const byName = (a: ClientPosition, b: ClientPosition): number =>
  compareText(clientNameKey(a.name), clientNameKey(b.name)) || compareText(a.id, b.id);

function merged(present: Subscription, change: SubscriptionChange): Subscription {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...present, ...(Object.fromEntries(given) as Partial<Subscription>) };
}
