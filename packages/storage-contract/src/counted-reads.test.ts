// Takes some seconds: it stores 10,000 verifications.
import type { Storage } from '@countersign/domain/storage';
import { createKeyValueStorage, createSortedMap, type KeyValueStore } from '@countersign/storage-keyvalue';
import { expect, it } from 'vitest';
import { storeOn } from '../test-support/stores.ts';
import { givenClient } from './records/clients.ts';
import { eventOf } from './records/events.ts';
import { clientId, minute } from './records/ids.ts';
import { givenIndexKey, labelled, ofClient, someLabels } from './records/indexes.ts';
import { givenKey, keyHash } from './records/keys.ts';
import { aMail, leaseMails } from './records/mails.ts';
import { aRecord, keyedBy, moved } from './records/records.ts';
import { commit, createCharged } from './records/verifications.ts';
import {
  anEndpoint,
  due,
  fanOut,
  givenEndpoint,
  leaseEndpoints,
  leaseOf,
  NOW,
  settle,
} from './records/webhooks.ts';

const [FEW, MANY] = [10, 10_000];
/** Of many verifications, so many are submitted and have labels: all would take twice as long. */
const SUBMITTED_EVERY = 20;

/** A store in memory that counts the keys that are read: those asked for, and those of the ranges that it returned. */
function countingStore(): { store: KeyValueStore; keysRead: () => number } {
  const inner = storeOn(createSortedMap());
  let count = 0;
  const store: KeyValueStore = {
    ...inner,
    run: (operation) =>
      inner.run(({ get, range }) =>
        operation({
          get(key) {
            count += 1;
            return get(key);
          },
          range(asked) {
            const entries = [...range(asked)];
            count += entries.length;
            return entries;
          },
        }),
      ),
  };
  return { store, keysRead: () => count };
}

const given = (n: number) =>
  aRecord(n, { requestedAt: minute(1), linkExpiresAt: minute(90_000), ...keyedBy(`key ${n}`) });

/** Stores verifications of one client with their events, deliveries and mails, all of which wait, and labels. */
async function fill(storage: Storage, count: number): Promise<void> {
  await givenClient(storage);
  await givenKey(storage, 1);
  await givenIndexKey(storage);
  await givenEndpoint(storage);
  for (let n = 1; n <= count; n += 1) {
    const record = given(n);
    await createCharged(storage, record, { allowance: 2 * MANY, mails: [aMail(n, { dueAt: minute(1) })] });
    if (n <= FEW || n % SUBMITTED_EVERY === 0)
      await commit(storage, moved(record, 'submitted'), { labels: someLabels(1, n) });
  }
  while ((await fanOut(storage, { limit: 1_000 })) > 0);
}

/** What requests and jobs do all the time. */
const OPERATIONS: Readonly<Record<string, (storage: Storage, n: number) => Promise<unknown>>> = {
  'verifications.createCharged': (storage, n) => createCharged(storage, given(n), { allowance: 2 * MANY }),
  'verifications.createCharged, key used': (storage) => createCharged(storage, given(3)),
  'verifications.createCharged, duplicate': (storage, n) =>
    createCharged(storage, { ...given(n + 1), subjectReference: 'subject_3' }),
  'verifications.commit': (storage, n) =>
    commit(storage, moved(given(n), 'submitted'), { labels: someLabels(1, n) }),
  'verifications.find': ({ verifications }) => verifications.find(clientId(1), given(3).id),
  'verifications.findForAnyClient': ({ verifications }) => verifications.findForAnyClient(given(3).id),
  'verifications.findByIdempotencyKey': ({ verifications }) =>
    verifications.findByIdempotencyKey(clientId(1), 'key 3'),
  'verifications.findWithHistory': ({ verifications }) => verifications.findWithHistory(clientId(1), given(3).id),
  'verifications.dueForExpiry': ({ verifications }) =>
    verifications.dueForExpiry({ linkEndedBy: NOW, requestedBy: NOW, limit: 10 }),
  'verifications.dueInSandbox': ({ verifications }) => verifications.dueInSandbox(10),
  'retention.due': ({ retention }) => retention.due({ now: NOW, limit: 10 }),
  'apiKeys.resolve': ({ apiKeys }) => apiKeys.resolve(keyHash(1)),
  'indexes.find': ({ indexes }) =>
    indexes.find({ labels: someLabels(1).labels.map((label) => ofClient(label)), limit: 3 }),
  'indexes.save': ({ indexes }) => indexes.save(labelled(3), someLabels(1, 3), 2),
  'mails.lease': (storage) => leaseMails(storage, { limit: 3 }),
  'webhooks.fanOut': (storage) => fanOut(storage, { limit: 10 }),
  'webhooks.leaseEndpoints': (storage) => leaseEndpoints(storage),
  'webhooks.due': (storage) => due(storage, anEndpoint(), { limit: 3 }),
  'webhooks.settle': (storage) => settle(storage, anEndpoint(), eventOf(given(1))),
  'webhooks.release': ({ webhooks }) => webhooks.release(leaseOf(anEndpoint(), 1)),
  'audit.head': ({ audit }) => audit.head(),
};

/** The number of keys that each operation reads. */
async function readsOf(count: number): Promise<Record<string, number>> {
  const { store, keysRead } = countingStore();
  const storage = createKeyValueStorage(store);
  await fill(storage, count);
  const reads: Record<string, number> = {};
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const before = keysRead();
    await operation(storage, count + 1);
    reads[name] = keysRead() - before;
  }
  return reads;
}

it('operations of requests and jobs read as many keys with 10 verifications as with 10,000', async () => {
  const few = await readsOf(FEW);
  const many = await readsOf(MANY);

  expect(many).toEqual(few);
  expect(Math.max(...Object.values(many))).toBeLessThan(100);
  // So it counts: `find` reads one key.
  expect(few['verifications.find']).toBe(1);
});
