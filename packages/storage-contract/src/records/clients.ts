import {
  type Client,
  type ClientWithSubscription,
  NEW_FLOW_SETTINGS,
  type Subscription,
} from '@countersign/domain/clients';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { clientId, minute } from './ids.ts';

export function aClient(n = 1, given: Partial<Client> = {}): Client {
  return {
    id: clientId(n),
    name: `Client ${n}`,
    createdAt: minute(-1_000 + n),
    returnAddresses: [],
    testOf: null,
    fileAccess: false,
    flowSettings: { ...NEW_FLOW_SETTINGS },
    reasonTemplates: { ask: [], reject: [] },
    ...given,
  };
}

export function aSubscription(given: Partial<Subscription> = {}): Subscription {
  return {
    plan: 'standard',
    status: 'active',
    monthlyLimit: null,
    startsAt: minute(-1_000),
    endsAt: null,
    ...given,
  };
}

/** Creates the `n`th client, with a subscription by default. Verifications and keys need their client. */
export async function givenClient(
  storage: Storage,
  n = 1,
  subscription: Subscription | null = aSubscription(),
  given: Partial<Client> = {},
): Promise<ClientWithSubscription> {
  const entry = { client: aClient(n, given), subscription };
  expect(await storage.clients.create(entry), 'set-up of the case: clients.create').toEqual({
    outcome: 'created',
  });
  return entry;
}

/** Creates the `n`th client as the test twin of a client. */
export async function givenTestTwin(storage: Storage, n = 1): Promise<Client> {
  const { client } = await givenClient(storage, n, aSubscription(), { testOf: clientId(900 + n) });
  return client;
}

/** Creates clients `first` to `last`. */
export async function givenClients(storage: Storage, [first, last]: readonly [number, number]): Promise<void> {
  for (let n = first; n <= last; n += 1) await givenClient(storage, n);
}

/** Reads the `n`th client's subscription. */
export async function subscriptionOf({ clients }: Storage, n = 1): Promise<Subscription | null | undefined> {
  return (await clients.find(clientId(n)))?.subscription;
}
