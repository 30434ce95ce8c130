import { NEW_FLOW_SETTINGS } from '@countersign/domain/clients';
import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { WEBHOOK_TYPES } from '@countersign/domain/webhooks';
import { expect } from 'vitest';
import { aClient, aSubscription, givenClient } from '../records/clients.ts';
import { aDataKey, givenDataKey } from '../records/data-keys.ts';
import { eventOf } from '../records/events.ts';
import { clientId, keyId, leaseToken, MARCH, minute, verificationId } from '../records/ids.ts';
import { aKey, keyHash } from '../records/keys.ts';
import { expectUnchanged, pictureOf } from '../records/picture.ts';
import { aBrowseQuery, aQuery, aQueueQuery, positionAt } from '../records/queries.ts';
import { aRecord, keyedBy, moved } from '../records/records.ts';
import { frozen, tamper } from '../records/tampering.ts';
import { createCharged, givenVerification, wholeOf } from '../records/verifications.ts';
import {
  anEndpoint,
  due,
  expectWebhooksUnchanged,
  fanOut,
  givenEndpoint,
  leaseEndpoints,
  leaseOf,
  NOW,
  UNTIL,
} from '../records/webhooks.ts';
import { type Suite, suiteOf } from '../suite.ts';

const RICH: Partial<VerificationRecord> = {
  metadata: { list: [1, { deep: ['x'] }] },
  answers: { steps: { person: { answers: { names: ['a'] } } } },
  reviewData: { files: [{ id: 'f', thumbnail: { size: 4_000, sha256: 'a'.repeat(64) } }] },
  ...keyedBy('key'),
  dataKey: aDataKey(1),
};

/** The storage copies values: later changes to arguments and results change nothing stored. */
export const ownValuesSuite: Suite = suiteOf('own values', {
  'create: later changes to the given record change nothing stored': async (storage) => {
    await givenClient(storage);
    const record = aRecord(1, structuredClone(RICH));
    const event = eventOf(record, { data: { list: [1, { deep: true }] }, actor: { kind: 'api_key', id: 'key' } });
    const kept = structuredClone({ record, events: [event] });

    await createCharged(storage, record, { event });
    tamper(record);
    tamper(event);

    expect(await wholeOf(storage, verificationId(1))).toEqual(kept);
  },

  'commit: later changes to the given record change nothing stored': async (storage) => {
    await givenClient(storage);
    const first = await givenVerification(storage, 1);
    const record = moved(
      first,
      'approved',
      structuredClone({ answers: RICH.answers ?? {}, reviewData: RICH.reviewData ?? {} }),
    );
    const events = [eventOf(record, { data: { list: [1, { deep: true }] } })];
    const kept = structuredClone({ record, events: [eventOf(first), ...events] });

    await storage.verifications.commit({ record, expectedVersion: 1, events });
    tamper(record);
    tamper(events);

    expect(await wholeOf(storage, verificationId(1))).toEqual(kept);
  },

  'read: changes to a returned verification change nothing stored': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1, { ...structuredClone(RICH), status: 'approved' });
    const before = structuredClone(await pictureOf(storage));
    const { verifications } = storage;
    const reads = [
      () => verifications.find(clientId(1), verificationId(1)),
      () => verifications.findForAnyClient(verificationId(1)),
      () => verifications.findByIdempotencyKey(clientId(1), 'key'),
      () => verifications.findWithHistory(clientId(1), verificationId(1)),
      () => verifications.findWithEventsForAnyClient(verificationId(1), 10),
      () => verifications.list(clientId(1), aQuery()),
      () => verifications.queue(aQueueQuery({ status: 'approved' })),
      () => verifications.browse(clientId(1), aBrowseQuery()),
      () => storage.dataKeys.listNotWrappedBy('key-2', null, 10),
      () => createCharged(storage, aRecord(2, structuredClone(RICH))),
    ];

    for (const read of reads) {
      tamper(await read());
      expect(await pictureOf(storage)).toEqual(before);
    }
  },

  'data keys: changes to given and returned values change nothing stored': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);
    const next = aDataKey(1);
    await givenDataKey(storage, 1, next);

    tamper(next);
    tamper(await storage.dataKeys.find(clientId(1), verificationId(1)));

    expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toEqual(aDataKey(1));
  },

  'clients: changes to given and returned values change nothing stored': async (storage) => {
    const entry = { client: aClient(1), subscription: aSubscription({ endsAt: minute(9_000) }) };
    const initial = aSubscription({ endsAt: minute(9_000) });
    const addresses = ['https://shop.example/'];
    const change = { endsAt: minute(8_000), startsAt: minute(7_000) };
    const settings = { ...NEW_FLOW_SETTINGS, linkDays: 7 };
    const calls: Call[] = [
      [() => storage.clients.create(entry), [entry]],
      [() => storage.clients.create({ client: aClient(2), subscription: null }), []],
      [() => storage.clients.changeSubscription(clientId(2), {}, initial), [initial]],
      [() => storage.clients.changeSubscription(clientId(1), change, null), [change]],
      [() => storage.clients.testTwin(clientId(1), { id: clientId(3), createdAt: minute(60) }), []],
      [() => storage.clients.setReturnAddresses(clientId(1), addresses), [addresses]],
      [() => storage.clients.setFileAccess(clientId(1), true), []],
      [() => storage.clients.setFlowSettings(clientId(1), settings), [settings]],
      [() => storage.clients.find(clientId(1)), []],
      [() => storage.clients.list(), []],
    ];

    await expectCopies(storage, calls);
  },

  'API keys: changes to given and returned values change nothing stored': async (storage) => {
    await givenClient(storage);
    const key = aKey(1, { expiresAt: minute(9_000), permissions: ['*'] });
    const [at, usedAt] = [minute(50), minute(40)];
    const use = { clientId: clientId(1), keyId: key.id, at: usedAt, unlessSince: minute(35) };
    const calls: Call[] = [
      [() => storage.apiKeys.issue(key), [key]],
      [() => storage.apiKeys.recordUse({ ...use }), [usedAt]],
      [() => storage.apiKeys.revoke(clientId(1), aKey(1).id, at), [at]],
      [() => storage.apiKeys.resolve(keyHash(1)), []],
      [() => storage.apiKeys.list(clientId(1)), []],
    ];

    await expectCopies(storage, calls);
    expect((await storage.apiKeys.resolve(keyHash(1)))?.subscription).toEqual(aSubscription());
  },

  'webhooks: changes to arguments and results change nothing stored': async (storage) => {
    await givenClient(storage);
    const endpoint = await givenEndpoint(storage, 1, { types: [...WEBHOOK_TYPES] });
    const record = await givenVerification(storage, 1);
    const [now, until] = [new Date(NOW), new Date(UNTIL)];
    await fanOut(storage, { now });
    const leased = await leaseEndpoints(storage, 1, { now, until });

    await expectWebhooksUnchanged(storage, async () => {
      tamper([endpoint, now, until, leased, await storage.webhooks.list(clientId(1))]);
    });
    tamper(await due(storage, anEndpoint(1)));

    expect(await due(storage, anEndpoint(1))).toEqual([{ event: eventOf(record), attempts: 0 }]);
    expect(await leaseEndpoints(storage, 2)).toEqual([]);
  },

  'change: later changes to the given endpoint and to the returned one change nothing stored': async (storage) => {
    await givenClient(storage);
    const endpoint = await givenEndpoint(storage);
    const change = {
      types: [...WEBHOOK_TYPES],
      since: new Date(NOW),
      secret: { value: 'whsec_2', wrappedBy: null },
      previousSecret: { value: 'whsec_1', wrappedBy: null, validUntil: new Date(UNTIL) },
    };
    const kept = structuredClone({ ...endpoint, ...change });

    const changed = await storage.webhooks.change(clientId(1), endpoint.id, change, new Date(NOW));
    tamper([change, changed]);

    expect(await storage.webhooks.list(clientId(1))).toEqual([kept]);
  },
});

/** A call and its arguments. */
type Call = readonly [call: () => Promise<unknown>, given: readonly object[]];

/** Tampers with the arguments and results of each call, which must change nothing stored. */
async function expectCopies(storage: Storage, calls: readonly Call[]): Promise<void> {
  for (const [call, given] of calls) {
    const result = await call();
    await expectUnchanged(storage, async () => tamper([result, ...given]));
  }
}

/** The storage does not change its arguments. */
export const inputsSuite: Suite = suiteOf('inputs', {
  'clients: arguments are not changed': async ({ clients }) => {
    const given = frozen({
      entry: { client: aClient(1), subscription: aSubscription({ endsAt: minute(9) }) },
      bare: { client: aClient(2), subscription: null },
      initial: aSubscription({ endsAt: minute(9) }),
      change: { endsAt: minute(99), plan: 'enterprise' as const },
      addresses: ['https://shop.example/b', 'https://shop.example/a'],
    });
    const before = structuredClone(given);

    await clients.create(given.entry);
    await clients.create(given.entry);
    await clients.create(given.bare);
    await clients.changeSubscription(clientId(1), given.change, given.initial);
    await clients.changeSubscription(clientId(2), given.change, given.initial);
    await clients.setReturnAddresses(clientId(1), given.addresses);

    expect(given).toEqual(before);
  },

  'API keys: arguments are not changed': async (storage) => {
    await givenClient(storage);
    const given = frozen({
      key: aKey(1, { expiresAt: minute(9) }),
      use: { clientId: clientId(1), keyId: keyId(1), at: minute(5), unlessSince: minute(1) },
      revokedAt: minute(6),
    });
    const before = structuredClone(given);

    await storage.apiKeys.issue(given.key);
    await storage.apiKeys.recordUse(given.use);
    await storage.apiKeys.revoke(clientId(1), keyId(1), given.revokedAt);

    expect(given).toEqual(before);
  },

  'verifications: arguments are not changed': async (storage) => {
    await givenClient(storage);
    const record = aRecord(1, { metadata: { list: [3, 1, { deep: ['x'] }] } });
    const next = moved(record, 'submitted');
    const given = frozen({
      request: { record, event: eventOf(record, { data: { list: [2, 1] } }), month: MARCH, allowance: 1 },
      change: { record: next, expectedVersion: 1, events: [eventOf(next, { data: { list: [2, 1] } })] },
      query: aQuery({ status: 'submitted' }),
      queue: aQueueQuery({ type: 'kyc', claimedBy: null }),
      browse: aBrowseQuery({
        requestedFrom: minute(0),
        requestedUntil: minute(9),
        after: positionAt(minute(8), 8),
      }),
      days: { from: 20_000, until: 21_000 },
    });
    const before = structuredClone(given);

    await storage.verifications.createCharged(given.request);
    await storage.verifications.createCharged(given.request);
    await storage.verifications.commit(given.change);
    await storage.verifications.commit(given.change);
    await storage.verifications.list(clientId(1), given.query);
    await storage.verifications.queue(given.queue);
    await storage.verifications.browse(clientId(1), given.browse);
    await storage.verifications.counts(clientId(1), given.days);

    expect(given).toEqual(before);
  },

  'recount: arguments are not changed': async (storage) => {
    await givenClient(storage);
    const given = frozen({ clientId: clientId(1), day: 20_522, type: 'kyc' as const });
    const before = structuredClone(given);

    await storage.counters.recount(given);

    expect(given).toEqual(before);
  },

  'data keys: arguments are not changed': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);
    const whose = { clientId: clientId(1), verificationId: verificationId(1) };
    const given = frozen({
      first: { ...whose, expected: null, next: aDataKey(1) },
      second: { ...whose, expected: aDataKey(1), next: aDataKey(2) },
    });
    const before = structuredClone(given);

    await storage.dataKeys.replace(given.first);
    await storage.dataKeys.replace(given.second);
    await storage.dataKeys.replace(given.second);

    expect(given).toEqual(before);
  },

  'webhooks: arguments are not changed': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);
    const endpoint = anEndpoint(1, { types: [...WEBHOOK_TYPES].reverse() });
    const given = frozen({
      endpoint,
      change: {
        types: endpoint.types,
        previousSecret: { value: 'whsec_0', wrappedBy: null, validUntil: minute(9) },
        olderSecret: { value: 'whsec_00', wrappedBy: null, validUntil: minute(8) },
      },
      expected: { state: endpoint.state, secretVersion: endpoint.secretVersion },
      request: { leaseToken: leaseToken(1), now: new Date(NOW), until: new Date(UNTIL), limit: 1 },
      lease: leaseOf(endpoint),
      except: [verificationId(2), verificationId(3)],
    });
    const before = structuredClone(given);
    const { now, until } = given.request;

    await storage.webhooks.add(given.endpoint);
    await storage.webhooks.change(clientId(1), endpoint.id, given.change, now, given.expected);
    await storage.webhooks.fanOut({ now, limit: 1 });
    await storage.webhooks.leaseEndpoints(given.request);
    await storage.webhooks.due(given.lease, { now, limit: 1, except: given.except });
    await storage.webhooks.extend(given.lease, until);

    expect(given).toEqual(before);
  },
});
