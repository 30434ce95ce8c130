import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { isLeftOut } from '../left-out.ts';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { APRIL, clientId, eventIdOf, keyId, MARCH, minute, verificationId } from '../records/ids.ts';
import { givenKey } from '../records/keys.ts';
import { expectUnchanged, pictureOf } from '../records/picture.ts';
import { aQuery } from '../records/queries.ts';
import { aRecord, keyedBy, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification, givenVerifications } from '../records/verifications.ts';
import { fanOut, givenEndpoint, logOf } from '../records/webhooks.ts';
import { type Suite, suiteGiven, suiteOf } from '../suite.ts';

const [mine, theirs] = [clientId(1), clientId(2)];

/** A client never reads, changes or counts another client's data. */
export const isolationSuite: Suite = suiteOf('isolation', {
  'read: another client’s verification is null': async (storage) => {
    const { verifications } = await givenTwo(storage);

    expect(await verifications.find(mine, verificationId(2))).toBeNull();
    expect(await verifications.findWithHistory(mine, verificationId(2))).toBeNull();
    expect(await verifications.findByIdempotencyKey(mine, 'theirs')).toBeNull();
  },

  'list: returns and counts one client’s verifications only': async (storage) => {
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

  'list keys: returns one client’s keys only': async (storage) => {
    const { apiKeys } = await givenTwo(storage);

    expect((await apiKeys.list(mine)).map(({ id }) => id)).toEqual([keyId(1)]);
    expect((await apiKeys.list(theirs)).map(({ id }) => id)).toEqual([keyId(2)]);
  },

  'usedIn: counts one client’s use only': async (storage) => {
    const { clients } = await givenTwo(storage);

    expect([await clients.usedIn(mine, MARCH), await clients.usedIn(theirs, MARCH)]).toEqual([1, 2]);
    expect([await clients.usedIn(mine, APRIL), await clients.usedIn(theirs, APRIL)]).toEqual([0, 0]);
  },

  'write: with one client’s id changes nothing of another client': async (storage) => {
    await givenTwo(storage);
    const theirRecord = (await storage.verifications.find(theirs, verificationId(2))) ?? aRecord(2);

    await expectUnchanged(storage, async () => {
      const foreign = { ...moved(theirRecord, 'submitted'), clientId: mine };
      expect(await commit(storage, foreign)).toEqual({ outcome: 'conflict' });
      expect(await storage.apiKeys.revoke(mine, keyId(2), minute(9))).toEqual({ outcome: 'not_found' });
      await storage.apiKeys.recordUse({ clientId: mine, keyId: keyId(2), at: minute(9), unlessSince: minute(4) });
    });
  },

  'create: many clients at once keep their own verifications': async (storage) => {
    await givenClients(storage, [1, 5]);

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

/** Two clients with a key each: the first has one verification, the second two. */
async function givenTwo(storage: Storage): Promise<Storage> {
  await givenClients(storage, [1, 2]);
  await givenKey(storage, 1);
  await givenKey(storage, 2, { clientId: theirs });
  await givenVerification(storage, 1, { subjectReference: 'shared' });
  await givenVerification(storage, 2, { clientId: theirs, subjectReference: 'shared', ...keyedBy('theirs') });
  await givenVerification(storage, 3, { clientId: theirs, subjectReference: 'only theirs' });
  return storage;
}

/** Mixed concurrent calls: rows, charges and events always agree. */
export const atomicitySuite: Suite = suiteGiven('atomicity', givenClient, {
  'mixed load: rows, charges and creation events have the same count': async (storage) => {
    await givenClient(storage, 2);
    const hasWebhooks = !isLeftOut(storage.webhooks);
    const endpoints = hasWebhooks
      ? [await givenEndpoint(storage, 1), await givenEndpoint(storage, 2, { clientId: clientId(2) })]
      : [];
    const earlier = [
      ...(await givenVerifications(storage, [1, 10])),
      ...(await givenVerifications(storage, [11, 20], { clientId: clientId(2) })),
    ];
    const keyed = keyedBy('key');

    const [requests, changes] = await Promise.all([
      atOnce(60, (n) => {
        const special = n % 6 === 0 ? keyed : n % 6 === 1 ? { subjectReference: 'same' } : {};
        return createCharged(storage, aRecord(100 + n, { clientId: clientId(1 + (n % 2)), ...special }), {
          allowance: 20,
        });
      }),
      atOnce(40, (n) => commit(storage, moved(earlier[n % earlier.length] ?? aRecord(0), 'submitted'))),
      hasWebhooks ? atOnce(20, () => fanOut(storage, { limit: 5 })) : [],
    ]);

    expect(tally(changes)).toEqual({ committed: 20, conflict: 20 });
    const pictures = await pictureOf(storage);
    for (const [index, { used, verifications, events }] of pictures.entries()) {
      const created = requests.filter(({ outcome }, n) => n % 2 === index && outcome === 'created').length;
      expect(created, 'the allowance is used up').toBe(10);
      expect(used.march).toBe(20);
      expectCount(verifications, 20);
      expectCount(
        events.filter(({ type }) => type === 'verification.created'),
        20,
      );
      expectCount(events, 30);
    }
    if (!hasWebhooks) return;
    await fanOut(storage);
    const delivered = (await Promise.all(endpoints.map((endpoint) => logOf(storage, endpoint)))).flat();
    expect(delivered.map(({ eventId }) => eventId).sort()).toEqual(
      pictures.flatMap(({ events }) => events.map(({ id }) => id)).sort(),
    );
  },

  'mixed load: refused requests leave no rows, charges or events': async (storage) => {
    await givenVerification(storage, 100, { subjectReference: 'taken' });

    const outcomes = await atOnce(60, (n) => {
      const subjectReference = n % 3 === 0 ? 'taken' : `subject_${n}`;
      return createCharged(storage, aRecord(n, { subjectReference }), { allowance: 31 });
    });

    expect(tally(outcomes)).toEqual({ created: 30, duplicate: 20, limit_reached: 10 });
    const created = range(0, 59).filter((n) => outcomes[n]?.outcome === 'created');
    const kept = [...created, 100].map((n) => aRecord(n));
    const [picture] = await pictureOf(storage);
    expect(picture?.used.march).toBe(31);
    expect(picture?.verifications.map((record) => record?.id).sort()).toEqual(kept.map(({ id }) => id));
    expect(picture?.events.map(({ id }) => id).sort()).toEqual(kept.map(eventIdOf));
  },

  'mixed load: a creation at the same time with the resolution of a duplicate is before or after it': async (
    storage,
  ) => {
    const earlier = await givenVerifications(storage, [1, 20], { status: 'submitted' });

    const [decisions, requests] = await Promise.all([
      Promise.all(earlier.map((record) => commit(storage, moved(record, 'approved')))),
      Promise.all(
        earlier.map(({ subjectReference }, n) => createCharged(storage, aRecord(100 + n, { subjectReference }))),
      ),
    ]);

    expect(tally(decisions)).toEqual({ committed: 20 });
    for (const [index, outcome] of requests.entries()) {
      const before = { outcome: 'duplicate', verificationId: earlier[index]?.id, status: 'submitted' };
      expect([{ outcome: 'created' }, before]).toContainEqual(outcome);
    }
    const created = requests.filter(({ outcome }) => outcome === 'created').length;
    const [picture] = await pictureOf(storage);
    expect(picture?.used.march).toBe(20 + created);
    expectCount(picture?.verifications, 20 + created);
  },

  'mixed load: the storage works as before afterwards': async (storage) => {
    const created = Promise.all(range(1, 30).map((n) => givenVerification(storage, n)));
    await Promise.all([created, storage.ping(), storage.clients.list()]);
    await givenVerifications(storage, [31, 33]);

    expect((await pictureOf(storage))[0]).toMatchObject({ used: { march: 33 } });
  },
});
