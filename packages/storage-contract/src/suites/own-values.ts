import type { VerificationRecord } from '@countersign/domain';
import { expect } from 'vitest';
import { aBrowseQuery } from '../records/browsing.ts';
import { aClient, aSubscription, givenClient } from '../records/clients.ts';
import { aDataKey, givenDataKey } from '../records/data-keys.ts';
import { eventOf } from '../records/events.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { aKey, keyHash } from '../records/keys.ts';
import { minute } from '../records/moments.ts';
import { lease, MUCH_LATER, UNTIL } from '../records/outbox.ts';
import { pictureOf } from '../records/picture.ts';
import { aQuery } from '../records/queries.ts';
import { aQueueQuery } from '../records/queue.ts';
import { aRecord, moved } from '../records/records.ts';
import { tamper } from '../records/tampering.ts';
import { createCharged, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

const RICH: Partial<VerificationRecord> = {
  metadata: { list: [1, { deep: ['x'] }] },
  answers: { steps: { person: { answers: { names: ['a'] } } } },
  reviewData: { files: [{ id: 'f' }] },
  idempotencyKey: 'key',
  idempotencyFingerprint: '1'.repeat(64),
  dataKey: aDataKey(1),
};

/** Values belong to whoever holds them: what a caller does to its own changes nothing that is stored, and conversely. */
export const ownValuesSuite: Suite = suiteOf('own values', {
  'a verification stays as created, whatever becomes of what was handed in': async (storage) => {
    await givenClient(storage);
    const record = aRecord(1, structuredClone(RICH));
    const event = eventOf(record, { data: { list: [1, { deep: true }] }, actor: { kind: 'client', id: 'key' } });
    const kept = structuredClone({ record, events: [event] });

    await createCharged(storage, record, { event });
    tamper(record);
    tamper(event);

    expect(await storage.verifications.findWithEvents(clientId(1), verificationId(1))).toEqual(kept);
    expect((await lease(storage, 1)).map((leased) => leased.event)).toEqual(kept.events);
  },

  'a verification stays as committed, whatever becomes of what was handed in': async (storage) => {
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

    expect(await storage.verifications.findWithEvents(clientId(1), verificationId(1))).toEqual(kept);
  },

  'a verification stays as stored, whatever becomes of what was read': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1, { ...structuredClone(RICH), status: 'approved' });
    const before = structuredClone(await pictureOf(storage));
    const { verifications } = storage;
    const reads = [
      () => verifications.find(clientId(1), verificationId(1)),
      () => verifications.findForAnyClient(verificationId(1)),
      () => verifications.findByIdempotencyKey(clientId(1), 'key'),
      () => verifications.findWithEvents(clientId(1), verificationId(1)),
      () => verifications.findWithEventsForAnyClient(verificationId(1)),
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

  'a data key stays as stored': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);
    const next = aDataKey(1);
    await givenDataKey(storage, 1, next);

    tamper(next);
    tamper(await storage.dataKeys.find(clientId(1), verificationId(1)));

    expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toEqual(aDataKey(1));
  },

  'clients and subscriptions stay as stored': async (storage) => {
    const entry = { client: aClient(1), subscription: aSubscription({ endsAt: minute(9_000) }) };
    const initial = aSubscription({ endsAt: minute(9_000) });
    const change = { endsAt: minute(8_000), startsAt: minute(7_000) };
    const calls: [() => Promise<unknown>, object[]][] = [
      [() => storage.clients.create(entry), [entry]],
      [() => storage.clients.create({ client: aClient(2), subscription: null }), []],
      [() => storage.clients.changeSubscription(clientId(2), {}, initial), [initial]],
      [() => storage.clients.changeSubscription(clientId(1), change, null), [change]],
      [() => storage.clients.setSandbox(clientId(1), true), []],
      [() => storage.clients.find(clientId(1)), []],
      [() => storage.clients.list(), []],
    ];

    for (const [call, handedIn] of calls) {
      const result = await call();
      const before = structuredClone(await pictureOf(storage));
      tamper(result);
      tamper(handedIn);
      expect(await pictureOf(storage)).toEqual(before);
    }
  },

  'keys stay as stored': async (storage) => {
    await givenClient(storage);
    const key = aKey(1, { expiresAt: minute(9_000), permissions: ['*'] });
    const [at, usedAt] = [minute(50), minute(40)];
    const use = { clientId: clientId(1), keyId: key.id, at: usedAt, unlessSince: minute(35) };
    const calls: [() => Promise<unknown>, object[]][] = [
      [() => storage.apiKeys.issue(key), [key]],
      [() => storage.apiKeys.recordUse({ ...use }), [usedAt]],
      [() => storage.apiKeys.revoke(clientId(1), aKey(1).id, at), [at]],
      [() => storage.apiKeys.resolve(keyHash(1)), []],
      [() => storage.apiKeys.list(clientId(1)), []],
    ];

    for (const [call, handedIn] of calls) {
      const result = await call();
      const before = structuredClone(await pictureOf(storage));
      tamper(result);
      tamper(handedIn);
      expect(await pictureOf(storage)).toEqual(before);
    }
    expect((await storage.apiKeys.resolve(keyHash(1)))?.subscription).toEqual(aSubscription());
  },

  'events stay as stored, whatever becomes of what was leased': async (storage) => {
    await givenClient(storage);
    const record = await givenVerification(storage, 1);
    const [now, until] = [new Date(UNTIL), new Date(MUCH_LATER)];

    tamper(await lease(storage, 1));

    expect(await lease(storage, 2, { now, until })).toEqual([{ event: eventOf(record), attempt: 2 }]);
    tamper([now, until]);
    expect(await lease(storage, 3, { now: new Date(MUCH_LATER.getTime() - 1) })).toEqual([]);
  },
});
