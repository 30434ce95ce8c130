import {
  copyStorage,
  type Storage,
  TRANSFER_KINDS,
  type TransferKind,
  type TransferSource,
} from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { expect, it } from 'vitest';
import { ALL_SUITES } from './all-suites.ts';
import { givenClient } from './records/clients.ts';
import { leaseMails } from './records/mails.ts';
import { givenVerification } from './records/verifications.ts';
import { anAttempt, fanOut, givenEndpoint, leaseEndpoints, MUCH_LATER } from './records/webhooks.ts';

// The transfer of `createKeyValueStorage`, which no port reaches.

/** Suites whose cases store entries of every kind. */
const SUITES: readonly string[] = [
  'appearances',
  'retention policies',
  'export requests',
  'hand-over codes',
  'readings',
  'index labels',
  'mail queue',
  'mail budgets',
  'webhook log',
  'erasure',
  'erasure log ids',
  'retention runs',
  'journeys',
  'API keys',
];

const contentOf = (source: TransferSource) =>
  Promise.all(TRANSFER_KINDS.map(async (kind) => [kind, await source.read(kind, null, 10_000)] as const));

/** Leases everything that is due, which is found by indexes. */
async function leasedOf(storage: Storage): Promise<readonly string[]> {
  const endpoints = await leaseEndpoints(storage, 9, { now: MUCH_LATER });
  return [...endpoints, ...(await leaseMails(storage))].map(({ id }) => id);
}

it('a copy of a copy has what cases of the kit stored, of every kind', async () => {
  const stored = new Set<TransferKind>();
  for (const { run } of ALL_SUITES.filter(({ name }) => SUITES.includes(name)).flatMap(({ cases }) =>
    cases.slice(0, 4),
  )) {
    const [first, copy, second] = [createMemoryStorage(), createMemoryStorage(), createMemoryStorage()];
    await run(first);

    await copyStorage({ from: first.transfer, to: copy.transfer, batchSize: 3 });
    await copyStorage({ from: copy.transfer, to: second.transfer, batchSize: 2 });

    const content = await contentOf(first.transfer);
    for (const [kind, entries] of content) {
      if (entries.length > 0) stored.add(kind);
      expect(await copy.transfer.count(kind)).toBe(entries.length);
    }
    expect(await contentOf(second.transfer)).toEqual(content);
    expect(await leasedOf(second)).toEqual(await leasedOf(copy));
  }
  expect([...stored].sort()).toEqual([...TRANSFER_KINDS].sort());
});

it('a part of a copy is what follows an entry, in the order of keys, up to its limit', async () => {
  const storage = createMemoryStorage();
  for (const n of [3, 1, 2]) await givenClient(storage, n);
  const all = await storage.transfer.read('clients', null, 10);
  const keys = all.map(({ client }) => client.id);

  expect(keys).toEqual(keys.toSorted());
  expect(await storage.transfer.read('clients', [keys[0] ?? ''], 1)).toEqual(all.slice(1, 2));
});

it('an entry that is there already, or twice in a part, is refused, and nothing of its part is written', async () => {
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
});

it('an attempt without its delivery is refused', async () => {
  const storage = createMemoryStorage();
  await givenClient(storage);
  const { clientId, id: endpointId } = await givenEndpoint(storage);
  await givenVerification(storage, 1);
  await fanOut(storage);
  const attempt = { clientId, endpointId, eventId: 'of no delivery', ...anAttempt() };

  await expect(storage.transfer.write('webhookAttempts', [attempt])).rejects.toThrow('has no delivery');
});

it('a storage with an unfinished copy says so', async () => {
  const { transfer, ping } = createMemoryStorage();
  expect(await transfer.hasUnfinishedCopy()).toBe(false);
  await transfer.begin();
  expect(await transfer.hasUnfinishedCopy()).toBe(true);
  await expect(ping()).rejects.toThrow('is not finished');
  await transfer.finish();
  expect(await transfer.hasUnfinishedCopy()).toBe(false);
  await ping();
});
