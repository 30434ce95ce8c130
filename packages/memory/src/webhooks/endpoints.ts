import { compareText, type WebhookRepository } from '@countersign/domain/storage';
import { type EndpointState, MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
import type { StoredEndpoint, Tables } from '../tables.ts';

type EndpointOperations = Pick<WebhookRepository, 'add' | 'list' | 'change' | 'remove'>;

export function createEndpoints({ endpoints, deliveries, clients }: Tables): EndpointOperations {
  return {
    async add(endpoint) {
      const { clientId, id } = endpoint;
      if (!clients.has(clientId)) return { outcome: 'client_not_found' };
      if (endpointsOf({ endpoints }, clientId).length >= MAX_WEBHOOK_ENDPOINTS)
        return { outcome: 'limit_reached' };
      if (endpoints.has(id)) throw new Error(`the id of the new endpoint ${id} is taken`);
      endpoints.set(id, { endpoint: structuredClone(endpoint), lease: null });
      return { outcome: 'added' };
    },

    list: async (clientId) =>
      structuredClone(endpointsOf({ endpoints }, clientId).map(({ endpoint }) => endpoint)).sort(
        (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || compareText(a.id, b.id),
      ),

    async change(clientId, endpointId, change, now, { state, secretVersion } = {}) {
      const stored = endpointOf({ endpoints }, clientId, endpointId);
      if (stored === undefined) return { outcome: 'not_found' };
      const present = stored.endpoint;
      const isExpected =
        present.state === (state ?? present.state) &&
        present.secretVersion === (secretVersion ?? present.secretVersion);
      if (!isExpected) return { outcome: 'conflict' };
      const given = Object.entries(structuredClone(change)).filter(([, value]) => value !== undefined);
      const before = present.state;
      stored.endpoint = { ...present, ...Object.fromEntries(given) };
      moveWaiting({ deliveries }, stored, { before, now });
      return { outcome: 'changed', endpoint: structuredClone(stored.endpoint) };
    },

    async remove(clientId, endpointId) {
      if (endpointOf({ endpoints }, clientId, endpointId) === undefined) return { outcome: 'not_found' };
      endpoints.delete(endpointId);
      for (const [key, { entry }] of deliveries) if (entry.endpointId === endpointId) deliveries.delete(key);
      return { outcome: 'removed' };
    },
  };
}

/** The client's endpoint with this id. */
export function endpointOf(
  { endpoints }: Pick<Tables, 'endpoints'>,
  clientId: string,
  endpointId: string,
): StoredEndpoint | undefined {
  const stored = endpoints.get(endpointId);
  return stored?.endpoint.clientId === clientId ? stored : undefined;
}

/** The client's endpoints that are stored. */
export function endpointsOf({ endpoints }: Pick<Tables, 'endpoints'>, clientId: string): StoredEndpoint[] {
  return [...endpoints.values()].filter(({ endpoint }) => endpoint.clientId === clientId);
}

/** Makes waiting deliveries follow a new state of their endpoint: due immediately, or failed. */
export function moveWaiting(
  { deliveries }: Pick<Tables, 'deliveries'>,
  { endpoint: { id, state } }: StoredEndpoint,
  { before, now }: { before: EndpointState; now: Date },
): void {
  if (state === before || state === 'paused') return;
  for (const stored of deliveries.values()) {
    const { endpointId, dueAt } = stored.entry;
    if (endpointId !== id || dueAt === null) continue;
    if (state === 'disabled') stored.entry = { ...stored.entry, state: 'failed', dueAt: null };
    else if (dueAt > now) stored.entry = { ...stored.entry, dueAt: new Date(now) };
  }
}
