import type { Storage } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce } from '../records/at-once.ts';
import { givenClients } from '../records/clients.ts';
import { clientId, keyId, leaseToken, verificationId } from '../records/ids.ts';
import { givenKey } from '../records/keys.ts';
import { APRIL, MARCH, minute } from '../records/moments.ts';
import { pictureOf } from '../records/picture.ts';
import { aQuery } from '../records/queries.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

const [mine, theirs] = [clientId(1), clientId(2)];

/** One client never reads, changes or counts what is another's. */
export const isolationSuite: Suite = suiteOf('isolation', {
  'another client’s verification is as unknown as none': async (storage) => {
    const { verifications } = await givenTwo(storage);

    expect(await verifications.find(mine, verificationId(2))).toBeNull();
    expect(await verifications.findWithEvents(mine, verificationId(2))).toBeNull();
    expect(await verifications.findByIdempotencyKey(mine, 'theirs')).toBeNull();
  },

  'a list holds and counts the client’s own alone, whatever it asks for': async (storage) => {
    const { verifications } = await givenTwo(storage);

    for (const given of [{}, { type: 'kyc' }, { status: 'pending' }, { subjectReference: 'shared' }] as const) {
      const { records, totalCount } = await verifications.list(mine, aQuery(given));
      expect([records.map(({ id }) => id), totalCount]).toEqual([[verificationId(1)], 1]);
    }
    expect(await verifications.list(mine, aQuery({ subjectReference: 'only theirs' }))).toEqual({
      records: [],
      totalCount: 0,
    });
    expect(await verifications.list(clientId(3), aQuery())).toEqual({ records: [], totalCount: 0 });
  },

  'keys are listed for their own client alone': async (storage) => {
    const { apiKeys } = await givenTwo(storage);

    expect((await apiKeys.list(mine)).map(({ id }) => id)).toEqual([keyId(1)]);
    expect((await apiKeys.list(theirs)).map(({ id }) => id)).toEqual([keyId(2)]);
  },

  'what one client uses is not counted for another': async (storage) => {
    const { clients } = await givenTwo(storage);

    expect([await clients.usedIn(mine, MARCH), await clients.usedIn(theirs, MARCH)]).toEqual([1, 2]);
    expect([await clients.usedIn(mine, APRIL), await clients.usedIn(theirs, APRIL)]).toEqual([0, 0]);
  },

  'no write under one client’s id reaches what is another’s': async (storage) => {
    await givenTwo(storage);
    const theirRecord = (await storage.verifications.find(theirs, verificationId(2))) ?? aRecord(2);
    const before = await pictureOf(storage);

    const foreign = { ...moved(theirRecord, 'submitted'), clientId: mine };
    expect(await commit(storage, foreign)).toEqual({ outcome: 'conflict' });
    expect(await storage.apiKeys.revoke(mine, keyId(2), minute(9))).toEqual({ outcome: 'not_found' });
    await storage.apiKeys.recordUse({ clientId: mine, keyId: keyId(2), at: minute(9), unlessSince: minute(4) });

    expect(await pictureOf(storage)).toEqual(before);
  },

  'a lease is held under the event’s own client alone': async (storage) => {
    const { outbox } = await givenTwo(storage);
    const lease = { leaseToken: leaseToken(1), now: minute(60), until: minute(61), limit: 10 };
    const events = (await outbox.lease(lease)).map(({ event }) => event);
    const theirEvent = events.find(({ clientId }) => clientId === theirs);
    const hold = { eventId: theirEvent?.id ?? '', leaseToken: leaseToken(1) };

    expect(await outbox.ack({ ...hold, clientId: mine }, minute(60))).toEqual({ outcome: 'lease_lost' });
    expect(await outbox.fail({ ...hold, clientId: mine }, minute(60))).toEqual({ outcome: 'lease_lost' });
    expect(await outbox.ack({ ...hold, clientId: theirs }, minute(60))).toEqual({ outcome: 'done' });
  },

  'many clients at once keep what is theirs': async (storage) => {
    await givenClients(storage, 5);

    await atOnce(100, (n) => {
      const own = { clientId: clientId(1 + (n % 5)), subjectReference: `subject_${Math.floor(n / 5)}` };
      return createCharged(storage, aRecord(n, own), { allowance: 20 });
    });

    for (const { client, verifications, used } of await pictureOf(storage)) {
      expect(verifications.map((record) => record?.clientId)).toEqual(Array.from({ length: 20 }, () => client.id));
      expect(used.march).toBe(20);
    }
  },
});

/** Two clients with a key each; one verification of the first, two of the second. */
async function givenTwo(storage: Storage): Promise<Storage> {
  await givenClients(storage, 2);
  await givenKey(storage, 1);
  await givenKey(storage, 2, { clientId: theirs });
  const keyed = { idempotencyKey: 'theirs', idempotencyFingerprint: '1'.repeat(64) };
  await givenVerification(storage, 1, { subjectReference: 'shared' });
  await givenVerification(storage, 2, { clientId: theirs, subjectReference: 'shared', ...keyed });
  await givenVerification(storage, 3, { clientId: theirs, subjectReference: 'only theirs' });
  return storage;
}
