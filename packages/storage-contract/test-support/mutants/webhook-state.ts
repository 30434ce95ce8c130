import type { DeliveryEntry, Storage } from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';
import { ALL } from './pages.ts';
import { type Break, both, keepsEvent, remembering, webhooks } from './patch.ts';

/** Before and after all moments of the cases. */
export const EARLY: Date = new Date(0);
export const FAR: Date = new Date('2099-01-01T00:00:00.000Z');

/** Every endpoint of every client. */
export async function everyEndpoint(storage: Storage): Promise<WebhookEndpoint[]> {
  const clients = await storage.clients.list();
  const lists = await Promise.all(clients.map(({ client }) => storage.webhooks.list(client.id)));
  return lists.flat();
}

/** The client of an endpoint; `otherwise` if there is no such endpoint. */
async function ownerOf(storage: Storage, endpointId: string, otherwise: string): Promise<string> {
  return (await everyEndpoint(storage)).find(({ id }) => id === endpointId)?.clientId ?? otherwise;
}

/** The whole log of an endpoint, newest event first. */
export function wholeLog(
  { webhooks }: Storage,
  { clientId, id }: Pick<WebhookEndpoint, 'clientId' | 'id'>,
): Promise<readonly DeliveryEntry[]> {
  return webhooks.deliveries({ clientId, endpointId: id, state: undefined, after: undefined, limit: ALL });
}

/** The delivery of an event to an endpoint. */
export async function entryOf(
  storage: Storage,
  clientId: string,
  endpointId: string,
  eventId: string,
): Promise<DeliveryEntry | undefined> {
  return (await wholeLog(storage, { clientId, id: endpointId })).find((entry) => entry.eventId === eventId);
}

/** Shows other deliveries in the log. */
export const shows = (change: (entry: DeliveryEntry) => Partial<DeliveryEntry>): Break =>
  webhooks.deliveries.result((entries) => entries.map((entry) => ({ ...entry, ...change(entry) })));

/** Takes each event for one of a verification of its own, so that no version waits for another. */
export const knowsNoVersions: Break = keepsEvent(({ id }) => ({ verificationId: id }));

/** Treats the endpoint of any client as the caller's. */
export const ignoresClient = (
  operation: typeof webhooks.change | typeof webhooks.remove | typeof webhooks.attempts,
): Break =>
  (operation as typeof webhooks.remove).override(async ({ next, storage }, clientId, endpointId, ...rest) =>
    next(await ownerOf(storage, endpointId, clientId), endpointId, ...rest),
  );

type Leased = typeof webhooks.due | typeof webhooks.settle | typeof webhooks.extend | typeof webhooks.release;

/** Treats the lease of any client's endpoint as the caller's. */
export const ignoresClientOfLease = (operation: Leased): Break =>
  (operation as typeof webhooks.extend).override(async ({ next, storage }, lease, ...rest) =>
    next({ ...lease, clientId: await ownerOf(storage, lease.endpointId, lease.clientId) }, ...rest),
  );

/** Treats every lease as the one that the endpoint was leased with last. */
export const ignoresToken = (operation: Leased): Break =>
  remembering(() => {
    const tokens = new Map<string, string>();
    return both(
      webhooks.leaseEndpoints.after((leased, { leaseToken }) => {
        for (const { id } of leased) tokens.set(id, leaseToken);
      }),
      (operation as typeof webhooks.extend).override(({ next }, lease, ...rest) =>
        next({ ...lease, leaseToken: tokens.get(lease.endpointId) ?? lease.leaseToken }, ...rest),
      ),
    );
  });

/** Answers calls at once with the result of the first one. */
export const sharesResults = (
  operation: typeof webhooks.fanOut | typeof webhooks.leaseEndpoints | typeof webhooks.resend,
  wait: () => Promise<void>,
): Break =>
  remembering(() => {
    let seen: Promise<number> | null = null;
    return (operation as typeof webhooks.fanOut).override(async ({ next }, request) => {
      seen ??= next(request);
      const result = await seen;
      await wait();
      seen = null;
      return result;
    });
  });
