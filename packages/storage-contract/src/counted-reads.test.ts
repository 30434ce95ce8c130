// Takes some seconds: it stores 10,000 verifications.
import type { VerificationEvent } from '@countersign/domain';
import {
  type Storage,
  TRANSFER_KINDS,
  type TransferEntries,
  type TransferKind,
  transferKeyOf,
} from '@countersign/domain/storage';
import {
  createKeyValueStorage,
  createSortedMap,
  type KeyValueStorage,
  type KeyValueStore,
} from '@countersign/storage-keyvalue';
import { expect, it } from 'vitest';
import { storeOn } from '../test-support/stores.ts';
import { givenClient, givenTestTwin } from './records/clients.ts';
import { eventOf } from './records/events.ts';
import { aRequest, givenReleased, requested } from './records/exports.ts';
import { givenHandOver } from './records/hand-overs.ts';
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

const [FEW, MANY] = [20, 10_000];
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
  aRecord(n, { requestedAt: minute(1), linkExpiresAt: minute(2), ...keyedBy(`key ${n}`) });

/** The number of the test client, and the first numbers of verifications in the sandbox and of resolved ones. */
const [TWIN, SANDBOX, RESOLVED] = [2, 100_000, 200_000];

/** Stores what is due for jobs: a verification in the sandbox, one for retention, and an export and a hand-over code that have ended. */
async function fillJobs(storage: Storage, n: number): Promise<void> {
  const requestedAt = minute(1);
  const sandbox = { clientId: clientId(TWIN), sandboxOutcome: 'approved', requestedAt } as const;
  await createCharged(storage, aRecord(SANDBOX + n, sandbox), { allowance: 2 * MANY });
  const resolved = { status: 'approved', uploadsCheckAt: requestedAt, requestedAt } as const;
  await createCharged(storage, aRecord(RESOLVED + n, resolved), { allowance: 2 * MANY });
  await givenReleased(storage, RESOLVED + n);
  await givenHandOver(storage, n, { issuedAt: minute(1) });
}

/**
 * Stores verifications of a client with their events, deliveries and mails, all of which wait, labels by earlier rules, and what other jobs
 * look for. All links have ended.
 */
async function fill(storage: Storage, count: number): Promise<void> {
  await givenClient(storage);
  await givenTestTwin(storage, TWIN);
  await givenKey(storage, 1);
  await givenIndexKey(storage);
  await givenEndpoint(storage);
  for (let n = 1; n <= count; n += 1) {
    const record = given(n);
    await createCharged(storage, record, { allowance: 2 * MANY, mails: [aMail(n, { dueAt: minute(1) })] });
    if (n > FEW && n % SUBMITTED_EVERY !== 0) continue;
    await fillJobs(storage, n);
    if (n % 2 === 1) await commit(storage, moved(record, 'submitted'), { labels: someLabels(1, n) });
  }
  await storage.retention.recheck({ clientId: clientId(1), after: null, limit: 10 * MANY, at: minute(1) });
  while ((await fanOut(storage, { limit: 1_000 })) > 0);
}

/** Expects this many results. */
async function found(count: number, results: Promise<readonly unknown[]>): Promise<void> {
  expect(await results).toHaveLength(count);
}

/** Reads the first two entries of a kind and the two after them. */
async function readSecond({ transfer }: KeyValueStorage, kind: TransferKind): Promise<void> {
  const last = (await transfer.read(kind, null, 2)).at(-1);
  if (last !== undefined) await transfer.read(kind, transferKeyOf(kind, last), 2);
}

/** A delivery of an event that was delivered. */
const aDelivery = ({
  id: eventId,
  clientId,
  verificationId,
  version,
  at,
}: VerificationEvent): TransferEntries['webhookDeliveries'] => ({
  clientId,
  endpointId: anEndpoint().id,
  eventId,
  verificationId,
  version,
  at,
  type: 'verification.created',
  state: 'delivered',
  attempts: 1,
  dueAt: null,
});

/** What requests and jobs do all the time. Jobs find what they look for. */
const OPERATIONS: Readonly<Record<string, (storage: KeyValueStorage, n: number) => Promise<unknown>>> = {
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
    found(5, verifications.dueForExpiry({ linkEndedBy: NOW, requestedBy: NOW, limit: 5 })),
  'verifications.dueInSandbox': ({ verifications }) => found(5, verifications.dueInSandbox(5)),
  'verifications.clientsWithReference': ({ verifications }) =>
    found(1, verifications.clientsWithReference('subject_3', [clientId(1), clientId(TWIN)])),
  'retention.due': ({ retention }) => found(5, retention.due({ now: NOW, limit: 5 })),
  'retention.uploadsDue': ({ retention }) => found(5, retention.uploadsDue({ now: NOW, limit: 5 })),
  'exports.forget': async ({ exports }) => expect(await exports.forget({ before: NOW, limit: 5 })).toBe(5),
  'exports.endAll': async ({ exports }) => expect(await exports.endAll(NOW)).toBe(0),
  'handOvers.forget': async ({ handOvers }) => expect(await handOvers.forget({ before: NOW, limit: 5 })).toBe(5),
  'apiKeys.resolve': ({ apiKeys }) => apiKeys.resolve(keyHash(1)),
  'indexes.find': ({ indexes }) =>
    indexes.find({ labels: someLabels(1).labels.map((label) => ofClient(label)), limit: 3 }),
  'indexes.listBehind': ({ indexes }) =>
    found(1, indexes.listBehind({ rulesVersion: 1_000, after: null, limit: 1 })),
  'indexes.save': ({ indexes }) => indexes.save(labelled(3), someLabels(1, 3), 2),
  'mails.lease': (storage) => leaseMails(storage, { limit: 3 }),
  'webhooks.fanOut': (storage) => fanOut(storage, { limit: 10 }),
  'webhooks.leaseEndpoints': (storage) => leaseEndpoints(storage),
  'webhooks.due': (storage) => due(storage, anEndpoint(), { limit: 3 }),
  'webhooks.settle': (storage) => settle(storage, anEndpoint(), eventOf(given(1))),
  'webhooks.release': ({ webhooks }) => webhooks.release(leaseOf(anEndpoint(), 1)),
  'audit.head': ({ audit }) => audit.head(),
  // Attempts are read with their deliveries, of which only one here has any.
  ...Object.fromEntries(
    TRANSFER_KINDS.filter((kind) => kind !== 'webhookAttempts').map((kind) => [
      `transfer.read, the second batch of ${kind}`,
      (storage) => readSecond(storage, kind),
    ]),
  ),
  'transfer.write, verifications': ({ transfer }, n) =>
    transfer.write('verifications', [given(2 * n), given(3 * n)]),
  'transfer.write, events': ({ transfer }, n) =>
    transfer.write('events', [{ event: eventOf(given(2 * n)), unsent: false }]),
  'transfer.write, exports': ({ transfer }, n) => transfer.write('exports', [requested(aRequest(2 * n))]),
  'transfer.write, webhookDeliveries': ({ transfer }, n) =>
    transfer.write('webhookDeliveries', [aDelivery(eventOf(given(2 * n)))]),
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

it('operations of requests and jobs read as many keys with 20 verifications as with 10,000', async () => {
  const few = await readsOf(FEW);
  const many = await readsOf(MANY);

  expect(many).toEqual(few);
  expect(Math.max(...Object.values(many))).toBeLessThan(100);
  // So it counts: `find` reads one key.
  expect(few['verifications.find']).toBe(1);
});
