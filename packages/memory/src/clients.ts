import type {
  ClientRepository,
  ClientWithSubscription,
  Subscription,
  SubscriptionChange,
} from '@countersign/domain';
import { keyOf, type Tables } from './tables.ts';

export function createClients({ clients, subscriptions, usage }: Tables): ClientRepository {
  const withSubscription = (clientId: string): ClientWithSubscription | null => {
    const client = clients.get(clientId);
    return client === undefined
      ? null
      : structuredClone({ client, subscription: subscriptions.get(clientId) ?? null });
  };

  return {
    async create({ client, subscription }) {
      if (clients.has(client.id)) return { outcome: 'exists' };
      clients.set(client.id, structuredClone(client));
      if (subscription !== null) subscriptions.set(client.id, structuredClone(subscription));
      return { outcome: 'created' };
    },

    find: async (clientId) => withSubscription(clientId),

    async list() {
      const all = [...clients.keys()].flatMap((id) => withSubscription(id) ?? []);
      return all.sort((a, b) => a.client.createdAt.getTime() - b.client.createdAt.getTime() || order(a, b));
    },

    async changeSubscription(clientId, change, initial) {
      if (!clients.has(clientId)) return { outcome: 'client_not_found' };
      const present = subscriptions.get(clientId);
      const subscription = present === undefined ? initial : merged(present, change);
      if (subscription === null) return { outcome: 'no_subscription' };
      subscriptions.set(clientId, structuredClone(subscription));
      return { outcome: 'changed', subscription: structuredClone(subscription) };
    },

    async setSandbox(clientId, sandbox) {
      const present = clients.get(clientId);
      if (present === undefined) return { outcome: 'client_not_found' };
      const client = { ...present, sandbox };
      clients.set(clientId, client);
      return { outcome: 'changed', client: structuredClone(client) };
    },

    usedIn: async (clientId, month) => usage.get(keyOf(clientId, month))?.used ?? 0,
  };
}

const order = (a: ClientWithSubscription, b: ClientWithSubscription): number =>
  a.client.id < b.client.id ? -1 : 1;

function merged(present: Subscription, change: SubscriptionChange): Subscription {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...present, ...(Object.fromEntries(given) as Partial<Subscription>) };
}
