import type { VerificationEvent } from '@countersign/domain';
import type {
  Attempt,
  Delivery,
  DeliveryEntry,
  DeliveryQuery,
  EndpointLease,
  Mail,
  Settlement,
  Storage,
} from '@countersign/domain/storage';
import { WEBHOOK_TYPES, type WebhookEndpoint } from '@countersign/domain/webhooks';
import { expect } from 'vitest';
import { givenClient } from './clients.ts';
import { attemptId, clientId, endpointId, leaseToken, minute } from './ids.ts';

/** A moment after all events of a case, and the end of a lease taken at it. */
export const NOW: Date = minute(5_000);
export const UNTIL: Date = minute(5_010);
export const MUCH_LATER: Date = minute(10_000);

/** The first client's `n`th endpoint, which receives every type and was added before all events. */
export function anEndpoint(n = 1, given: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    id: endpointId(n),
    clientId: clientId(1),
    url: `https://receiver.example/${n}`,
    name: `Receiver ${n}`,
    types: WEBHOOK_TYPES,
    state: 'active',
    since: minute(-500),
    createdAt: minute(-900 + n),
    createdBy: null,
    secret: { value: `whsec_${n}`, wrappedBy: null },
    secretVersion: 1,
    previousSecret: null,
    olderSecret: null,
    failingSince: null,
    ...given,
  };
}

/** Creates the first client. */
export async function givenFirstClient(storage: Storage): Promise<void> {
  await givenClient(storage);
}

/** Adds the `n`th endpoint. */
export async function givenEndpoint(
  { webhooks }: Storage,
  n = 1,
  given: Partial<WebhookEndpoint> = {},
): Promise<WebhookEndpoint> {
  const endpoint = anEndpoint(n, given);
  expect(await webhooks.add(endpoint), 'set-up of the case: webhooks.add').toEqual({ outcome: 'added' });
  return endpoint;
}

/** Reads the `n`th endpoint, of the first client by default. */
export async function endpointNow({ webhooks }: Storage, n = 1, owner = 1): Promise<WebhookEndpoint> {
  const found = (await webhooks.list(clientId(owner))).find(({ id }) => id === endpointId(n));
  if (found === undefined) throw new Error(`The storage has no endpoint ${n} of client ${owner}`);
  return found;
}

/** Fans out up to a hundred events by default, at `NOW`. */
export function fanOut(
  { webhooks }: Storage,
  { now = NOW, limit = 100 }: { now?: Date; limit?: number } = {},
): Promise<number> {
  return webhooks.fanOut({ now, limit });
}

/**
 * Adds an endpoint for everything that the first client's events send, and fans out. Returns the ids of the events that
 * were not fanned out before.
 */
export async function fanOutAll(storage: Storage): Promise<string[]> {
  const endpoint = await givenEndpoint(storage, 9);
  await fanOut(storage);
  return (await logOf(storage, endpoint)).map(({ eventId }) => eventId);
}

/** Leases with the `n`th token, at `NOW` until `UNTIL`, up to a hundred endpoints by default. */
export function leaseEndpoints(
  { webhooks }: Storage,
  n = 1,
  given: Partial<Parameters<Storage['webhooks']['leaseEndpoints']>[0]> = {},
): Promise<readonly WebhookEndpoint[]> {
  return webhooks.leaseEndpoints({ leaseToken: leaseToken(n), now: NOW, until: UNTIL, limit: 100, ...given });
}

/** The lease of the worker with the `n`th token. */
export function leaseOf({ clientId, id }: Pick<WebhookEndpoint, 'clientId' | 'id'>, n = 1): EndpointLease {
  return { clientId, endpointId: id, leaseToken: leaseToken(n) };
}

interface DueRequest {
  readonly token?: number;
  readonly now?: Date;
  readonly limit?: number;
  readonly except?: readonly string[];
}

/** Reads up to a hundred deliveries of the endpoint that are due at `NOW`, by default with the first token. */
export function due(
  { webhooks }: Storage,
  endpoint: WebhookEndpoint,
  { token = 1, now = NOW, limit = 100, except = [] }: DueRequest = {},
): Promise<readonly Delivery[] | null> {
  return webhooks.due(leaseOf(endpoint, token), { now, limit, except });
}

/** Reads the ids of the events whose deliveries are due. */
export async function dueIds(
  storage: Storage,
  endpoint: WebhookEndpoint,
  given: DueRequest = {},
): Promise<string[] | undefined> {
  return (await due(storage, endpoint, given))?.map(({ event }) => event.id);
}

/** The `n`th attempt, which received a response. */
export function anAttempt(n = 1, given: Partial<Attempt> = {}): Attempt {
  return {
    id: attemptId(n),
    at: minute(5_000 + n),
    durationMs: 12,
    request: '{"type":"verification.created"}',
    status: 500,
    response: 'Internal Server Error',
    fault: null,
    ...given,
  };
}

/** Settles a delivery as delivered by default, by the first attempt with the first token; no failure pauses the endpoint. */
export function settle(
  { webhooks }: Storage,
  endpoint: WebhookEndpoint,
  { id: eventId, verificationId, version }: Pick<VerificationEvent, 'id' | 'verificationId' | 'version'>,
  given: {
    token?: number;
    attempt?: Attempt;
    settlement?: Settlement;
    pauseIfFailingSince?: Date;
    wake?: Parameters<Storage['webhooks']['settle']>[2]['wake'];
    disable?: boolean;
    mailsIfPaused?: readonly Mail[];
  } = {},
): ReturnType<Storage['webhooks']['settle']> {
  const { token = 1, attempt = anAttempt(), settlement = { state: 'delivered' } } = given;
  const {
    pauseIfFailingSince = minute(-9_000),
    wake = { limit: 100, withinMs: 6_000 },
    disable = false,
    mailsIfPaused,
  } = given;
  const result = { attempt, settlement, pauseIfFailingSince, wake, disable, mailsIfPaused };
  return webhooks.settle(leaseOf(endpoint, token), { eventId, verificationId, version }, result);
}

/** Reads the log of an endpoint: up to a hundred deliveries. */
export function logOf(
  { webhooks }: Storage,
  { clientId, id }: Pick<WebhookEndpoint, 'clientId' | 'id'>,
  given: Partial<DeliveryQuery> = {},
): Promise<readonly DeliveryEntry[]> {
  const query = { clientId, endpointId: id, state: undefined, after: undefined, limit: 100 };
  return webhooks.deliveries({ ...query, ...given });
}

/** Reads the log of an endpoint as ids of events with one field each. */
export async function logged<F extends keyof DeliveryEntry>(
  storage: Storage,
  endpoint: WebhookEndpoint,
  field: F,
): Promise<[string, DeliveryEntry[F]][]> {
  return (await logOf(storage, endpoint)).map((entry) => [entry.eventId, entry[field]]);
}

/** Everything about webhooks of the first two clients that can be read. */
async function webhooksOf(storage: Storage): Promise<unknown> {
  const pictures: unknown[] = [];
  for (const n of [1, 2]) {
    for (const endpoint of await storage.webhooks.list(clientId(n))) {
      const log = await logOf(storage, endpoint);
      const attempts = await Promise.all(
        log.map(({ eventId }) => storage.webhooks.attempts(endpoint.clientId, endpoint.id, eventId)),
      );
      pictures.push({ endpoint, log, attempts });
    }
  }
  return pictures;
}

/** Expects that `act` changes nothing about webhooks that can be read. */
export async function expectWebhooksUnchanged(storage: Storage, act: () => Promise<unknown>): Promise<void> {
  const before = structuredClone(await webhooksOf(storage));
  await act();
  expect(await webhooksOf(storage)).toEqual(before);
}
