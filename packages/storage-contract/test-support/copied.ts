import {
  copyStorage,
  type Storage,
  TRANSFER_KINDS,
  type TransferKind,
  type TransferSource,
} from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { expect } from 'vitest';
import { ALL_SUITES } from '../src/all-suites.ts';
import { aClient, aSubscription, givenClient } from '../src/records/clients.ts';
import { leaseMails } from '../src/records/mails.ts';
import { givenVerification } from '../src/records/verifications.ts';
import { anAttempt, fanOut, givenEndpoint, leaseEndpoints, MUCH_LATER } from '../src/records/webhooks.ts';
import { type Suite, suiteOf } from '../src/suite.ts';

/** For each kind of entries, a suite whose cases store some. */
const SUITES: { readonly [K in TransferKind]: string } = {
  clients: 'clients',
  clientFaces: 'appearances',
  clientRetention: 'retention policies',
  usage: 'quota',
  verifications: 'reads',
  events: 'events',
  exports: 'export requests',
  handOvers: 'hand-over codes',
  readings: 'readings',
  indexKeys: 'index keys',
  indexedVerifications: 'index labels',
  indexEntries: 'index labels',
  mails: 'mail queue',
  mailBudgets: 'mail budgets',
  webhookEndpoints: 'webhook endpoints',
  webhookDeliveries: 'fan-out',
  webhookAttempts: 'webhook log',
  erasures: 'erasure',
  erasureLogs: 'erasure log ids',
  retentionRuns: 'retention runs',
  audit: 'audit log',
  apiKeys: 'API keys',
};
const CASES_OF_EACH = 4;

const contentOf = (source: TransferSource) =>
  Promise.all(TRANSFER_KINDS.map(async (kind) => [kind, await source.read(kind, null, 10_000)] as const));

/** Leases everything that is due. Indexes find it, so they are compared too. */
async function leasedOf(storage: Storage): Promise<readonly string[]> {
  const endpoints = await leaseEndpoints(storage, 9, { now: MUCH_LATER });
  return [...endpoints, ...(await leaseMails(storage))].map(({ id }) => id);
}

/**
 * Copies what each case of a suite stored, copies the copy, and compares both. Expects that some cases stored entries of the kind, and that
 * none is written twice.
 */
async function expectCopied(kind: TransferKind): Promise<void> {
  const cases = ALL_SUITES.find(({ name }) => name === SUITES[kind])?.cases.slice(0, CASES_OF_EACH) ?? [];
  let stored = 0;
  for (const { run } of cases) {
    const [first, copy, second] = [createMemoryStorage(), createMemoryStorage(), createMemoryStorage()];
    await run(first);

    await copyStorage({ from: first.transfer, to: copy.transfer, batchSize: 3 });
    await copyStorage({ from: copy.transfer, to: second.transfer, batchSize: 2 });

    const content = await contentOf(first.transfer);
    for (const [each, entries] of content) {
      expect(await copy.transfer.count(each)).toBe(entries.length);
      const again = entries.map((entry) => copy.transfer.write(each, [entry]));
      for (const { status } of await Promise.allSettled(again)) expect(status, `${each} again`).toBe('rejected');
    }
    expect(await contentOf(second.transfer)).toEqual(content);
    expect(await leasedOf(second)).toEqual(await leasedOf(copy));
    stored += new Map<TransferKind, readonly unknown[]>(content).get(kind)?.length ?? 0;
  }
  expect(stored).toBeGreaterThan(0);
}

/** The transfer of `createKeyValueStorage`, which no port reaches. */
export const copiedSuite: Suite<undefined> = suiteOf('copies of a storage in memory', {
  ...Object.fromEntries(
    TRANSFER_KINDS.map((kind) => [`copy: keeps what cases stored of the kind ${kind}`, () => expectCopied(kind)]),
  ),

  'copy: a client without a subscription can get its first one': async () => {
    const [from, to] = [createMemoryStorage(), createMemoryStorage()];
    await from.clients.create({ client: aClient(1), subscription: null });
    await copyStorage({ from: from.transfer, to: to.transfer });

    const subscription = aSubscription();
    expect(await to.clients.changeSubscription(aClient(1).id, {}, subscription)).toEqual({
      outcome: 'changed',
      subscription,
    });
  },

  'read: a part is what follows an entry, in the order of keys, up to its limit': async () => {
    const storage = createMemoryStorage();
    for (const n of [3, 1, 2]) await givenClient(storage, n);
    const all = await storage.transfer.read('clients', null, 10);
    const keys = all.map(({ client }) => client.id);

    expect(keys).toEqual(keys.toSorted());
    expect(await storage.transfer.read('clients', [keys[0] ?? ''], 1)).toEqual(all.slice(1, 2));
  },

  'write: an entry that is there already, or twice in a part, is refused, and nothing of its part is written':
    async () => {
      const [from, to] = [createMemoryStorage(), createMemoryStorage()];
      await givenClient(from, 1);
      await givenClient(from, 2);
      const [first, second] = await from.transfer.read('clients', null, 10);
      if (first === undefined || second === undefined) throw new Error('no clients');
      await to.transfer.write('clients', [first]);

      await expect(to.transfer.write('clients', [second, first])).rejects.toThrow(
        `clients ${first.client.id} is there already`,
      );
      await expect(to.transfer.write('clients', [second, second])).rejects.toThrow('is there already');

      expect(await to.transfer.read('clients', null, 10)).toEqual([first]);
    },

  'write: an attempt without its delivery is refused': async () => {
    const storage = createMemoryStorage();
    await givenClient(storage);
    const { clientId, id: endpointId } = await givenEndpoint(storage);
    await givenVerification(storage, 1);
    await fanOut(storage);
    const attempt = { clientId, endpointId, eventId: 'of no delivery', ...anAttempt() };

    await expect(storage.transfer.write('webhookAttempts', [attempt])).rejects.toThrow('has no delivery');
  },

  'copy: attempts of a delivery come in the order of their ids': async () => {
    const storage = createMemoryStorage();
    await givenClient(storage);
    await givenEndpoint(storage);
    await givenVerification(storage, 1);
    await fanOut(storage);
    const [delivery] = await storage.transfer.read('webhookDeliveries', null, 1);
    if (delivery === undefined) throw new Error('no delivery');
    const { clientId, endpointId, eventId } = delivery;
    const attempt = (n: number) => ({ clientId, endpointId, eventId, ...anAttempt(n) });
    await storage.transfer.write('webhookAttempts', [attempt(3), attempt(1), attempt(2)]);

    expect(await storage.transfer.read('webhookAttempts', null, 9)).toEqual([1, 2, 3].map(attempt));
    const second = [clientId, endpointId, eventId, attempt(2).id];
    expect(await storage.transfer.read('webhookAttempts', second, 9)).toEqual([attempt(3)]);
    await expect(storage.transfer.write('webhookAttempts', [attempt(2)])).rejects.toThrow('is there already');
  },

  'begin, finish: a storage with an unfinished copy says so': async () => {
    const { transfer, ping } = createMemoryStorage();
    expect(await transfer.hasUnfinishedCopy()).toBe(false);
    await transfer.begin();
    expect(await transfer.hasUnfinishedCopy()).toBe(true);
    await expect(ping()).rejects.toThrow('is not finished');
    await transfer.finish();
    expect(await transfer.hasUnfinishedCopy()).toBe(false);
    await ping();
  },
});
