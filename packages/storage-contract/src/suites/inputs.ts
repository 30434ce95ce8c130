import { expect } from 'vitest';
import { aBrowseQuery, positionAt } from '../records/browsing.ts';
import { aClient, aSubscription, givenClient } from '../records/clients.ts';
import { aDataKey } from '../records/data-keys.ts';
import { eventOf } from '../records/events.ts';
import { clientId, keyId, leaseToken, verificationId } from '../records/ids.ts';
import { aKey } from '../records/keys.ts';
import { MARCH, minute } from '../records/moments.ts';
import { holdOf, NOW, UNTIL } from '../records/outbox.ts';
import { aQuery } from '../records/queries.ts';
import { aQueueQuery } from '../records/queue.ts';
import { aRecord, moved } from '../records/records.ts';
import { frozen } from '../records/tampering.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** What is handed in belongs to the caller: a storage reads it and leaves it as it is. */
export const inputsSuite: Suite = suiteOf('inputs', {
  'clients and subscriptions are not changed': async ({ clients }) => {
    const given = frozen({
      entry: { client: aClient(1), subscription: aSubscription({ endsAt: minute(9) }) },
      bare: { client: aClient(2), subscription: null },
      initial: aSubscription({ endsAt: minute(9) }),
      change: { endsAt: minute(99), plan: 'enterprise' as const },
    });
    const before = structuredClone(given);

    await clients.create(given.entry);
    await clients.create(given.entry);
    await clients.create(given.bare);
    await clients.changeSubscription(clientId(1), given.change, given.initial);
    await clients.changeSubscription(clientId(2), given.change, given.initial);

    expect(given).toEqual(before);
  },

  'keys and moments of their use are not changed': async (storage) => {
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

  'verifications, events and queries are not changed': async (storage) => {
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
      days: [minute(0), minute(9)] as const,
    });
    const before = structuredClone(given);

    await storage.verifications.createCharged(given.request);
    await storage.verifications.createCharged(given.request);
    await storage.verifications.commit(given.change);
    await storage.verifications.commit(given.change);
    await storage.verifications.list(clientId(1), given.query);
    await storage.verifications.queue(given.queue);
    await storage.verifications.browse(clientId(1), given.browse);
    await storage.verifications.countByDay(clientId(1), ...given.days);

    expect(given).toEqual(before);
  },

  'data keys are not changed': async (storage) => {
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

  'leases and their moments are not changed': async (storage) => {
    await givenClient(storage);
    const record = aRecord(1);
    await storage.verifications.createCharged({ record, event: eventOf(record), month: MARCH, allowance: 1 });
    const given = frozen({
      request: { leaseToken: leaseToken(1), now: new Date(NOW), until: new Date(UNTIL), limit: 1 },
      hold: holdOf(eventOf(record), 1),
      at: minute(6_000),
    });
    const before = structuredClone(given);

    await storage.outbox.lease(given.request);
    await storage.outbox.fail(given.hold, given.at);
    await storage.outbox.lease({ ...given.request, now: minute(6_000) });
    await storage.outbox.ack(given.hold, given.at);

    expect(given).toEqual(before);
  },
});
