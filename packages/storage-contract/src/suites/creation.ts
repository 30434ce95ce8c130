import { expect } from 'vitest';
import { isLeftOut } from '../left-out.ts';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { APRIL, clientId, daysAfter, MARCH, minute, verificationId } from '../records/ids.ts';
import { DIFFICULT_METADATA } from '../records/metadata.ts';
import { expectUnchanged, pictureOf } from '../records/picture.ts';
import { listed } from '../records/queries.ts';
import { aRecord, keyedBy } from '../records/records.ts';
import { DIFFICULT_TEXTS } from '../records/texts.ts';
import { createCharged, givenVerification, givenVerifications, wholeOf } from '../records/verifications.ts';
import { fanOutAll } from '../records/webhooks.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** Creation stores every field, to the character and the millisecond. */
export const creationSuite: Suite = suiteGiven('creation', givenClient, {
  'create: stores every field of the verification': async (storage) => {
    const plain = aRecord(1, { type: 'kyc' });
    const full = aRecord(2, {
      type: 'kyb',
      subjectReference: 'Größe “7” 😀',
      requestedAt: minute(2, 345),
      linkExpiresAt: minute(50_000, 678),
      idempotencyKey: ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ A-z 0-9 '.padEnd(255, 'k'),
      idempotencyFingerprint: '0123456789abcdef'.repeat(4),
      sandboxOutcome: 'action_needed',
      returnUrl: 'https://shop.example/kyc?order=7',
      locale: 'de-AT',
      metadata: { order: { id: 7, tags: ['a', 'b'] } },
      answers: { opaque: ['to', { the: 'storage' }] },
      reviewData: { also: { opaque: [1, null, true] } },
    });

    expect(await createCharged(storage, plain)).toEqual({ outcome: 'created' });
    expect(await createCharged(storage, full)).toEqual({ outcome: 'created' });

    expect(await storage.verifications.find(clientId(1), plain.id)).toEqual(plain);
    expect(await storage.verifications.find(clientId(1), full.id)).toEqual(full);
  },

  'create: writes verification, charge and event together': async (storage) => {
    const record = aRecord(1);
    const event = eventOf(record, {
      at: minute(1, 999),
      actor: { kind: 'api_key', id: 'key' },
      data: { type: 'kyc' },
    });

    await createCharged(storage, record, { event });

    expect(await wholeOf(storage, record.id)).toEqual({
      record,
      events: [event],
    });
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(1);
    expect(await listed(storage)).toEqual({ ids: [record.id], totalCount: 1 });
  },

  'create: references that differ in one character, case, accent or space are different': async (storage) => {
    for (const [index, subjectReference] of DIFFICULT_TEXTS.entries()) {
      const record = aRecord(index + 1, { subjectReference });
      expect(await createCharged(storage, record), JSON.stringify(subjectReference)).toEqual({
        outcome: 'created',
      });
    }
    for (const [index, subjectReference] of DIFFICULT_TEXTS.entries()) {
      const found = await storage.verifications.find(clientId(1), verificationId(index + 1));
      expect(found?.subjectReference).toBe(subjectReference);
    }
  },

  'create: keeps metadata unchanged': async (storage) => {
    for (const [index, [difficulty, metadata]] of Object.entries(DIFFICULT_METADATA).entries()) {
      const { id } = await givenVerification(storage, index + 1, { metadata });
      const found = await storage.verifications.find(clientId(1), id);
      expect(found?.metadata, difficulty).toEqual(metadata);
    }
  },

  'create: keeps answers and reviewData unchanged': async (storage) => {
    for (const [index, [difficulty, document]] of Object.entries(DIFFICULT_METADATA).entries()) {
      const { id } = await givenVerification(storage, index + 1, { answers: document, reviewData: { document } });
      const found = await storage.verifications.find(clientId(1), id);
      expect(found?.answers, difficulty).toEqual(document);
      expect(found?.reviewData, difficulty).toEqual({ document });
    }
  },

  'create: keeps times to the millisecond, in summer and winter': async (storage) => {
    const moments = [
      '2026-03-29T00:59:59.999Z',
      '2026-03-29T01:30:00.001Z',
      '2026-10-25T00:30:00.010Z',
      '2026-10-25T01:30:00.100Z',
      '2027-12-31T23:59:59.999Z',
      '2028-02-29T12:00:00.000Z',
      '2038-01-19T03:14:08.000Z',
    ].map((text) => new Date(text));

    for (const [index, moment] of moments.entries()) {
      const given = { requestedAt: moment, linkExpiresAt: new Date(moment.getTime() + 1) };
      const { id } = await givenVerification(storage, index + 1, given);
      const found = await storage.verifications.find(clientId(1), id);
      expect(found).toMatchObject(given);
    }
  },
});

/** The monthly limit: exactly the allowance is created; a refused creation changes nothing. */
export const quotaSuite: Suite = suiteGiven('quota', givenClient, {
  'create: allows exactly the allowance': async (storage) => {
    const outcomes: string[] = [];
    for (const n of range(1, 5))
      outcomes.push((await createCharged(storage, aRecord(n), { allowance: 3 })).outcome);

    expect(outcomes).toEqual(['created', 'created', 'created', 'limit_reached', 'limit_reached']);
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(3);
    expect(await listed(storage)).toEqual({ ids: [1, 2, 3].map(verificationId), totalCount: 3 });
  },

  'create: allows nothing at an allowance of 0': async (storage) => {
    await expectUnchanged(storage, async () => {
      expect(await createCharged(storage, aRecord(1), { allowance: 0 })).toEqual({ outcome: 'limit_reached' });
    });
  },

  'create: a refused request leaves no row, event, charge, key or duplicate': async (storage) => {
    const refused = aRecord(1, keyedBy('key'));

    await createCharged(storage, refused, { allowance: 0 });

    expect(await storage.verifications.find(clientId(1), refused.id)).toBeNull();
    expect(await storage.verifications.findByIdempotencyKey(clientId(1), 'key')).toBeNull();
    if (!isLeftOut(storage.webhooks)) expect(await fanOutAll(storage)).toEqual([]);
    expect(await createCharged(storage, refused, { allowance: 1 })).toEqual({ outcome: 'created' });
    expect((await wholeOf(storage, refused.id))?.events).toEqual([eventOf(refused)]);
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(1);
  },

  'create: of sixty at once with an allowance of 25, exactly 25 succeed': async (storage) => {
    const outcomes = await atOnce(60, (n) => createCharged(storage, aRecord(n), { allowance: 25 }));

    expect(tally(outcomes)).toEqual({ created: 25, limit_reached: 35 });
    const [picture] = await pictureOf(storage);
    const created = range(0, 59).filter((n) => outcomes[n]?.outcome === 'created');
    expect(picture?.used.march).toBe(25);
    expect(picture?.verifications.map((record) => record?.id).sort()).toEqual(created.map(verificationId));
    expect(picture?.events.map(({ verificationId }) => verificationId).sort()).toEqual(
      created.map(verificationId),
    );
  },

  'create: of many at once for the last unit, one succeeds': async (storage) => {
    await givenVerifications(storage, [1, 4]);

    const outcomes = await atOnce(20, (n) => createCharged(storage, aRecord(10 + n), { allowance: 5 }));

    expect(tally(outcomes)).toEqual({ created: 1, limit_reached: 19 });
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(5);
  },

  'create: counts each month by itself': async (storage) => {
    await createCharged(storage, aRecord(1), { month: MARCH, allowance: 1 });

    expect(await createCharged(storage, aRecord(2), { month: MARCH, allowance: 1 })).toEqual({
      outcome: 'limit_reached',
    });
    const requestedAt = daysAfter(minute(0), 30);
    for (const n of [3, 4])
      await createCharged(storage, aRecord(n, { requestedAt }), { month: APRIL, allowance: 2 });

    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(1);
    expect(await storage.clients.usedIn(clientId(1), APRIL)).toBe(2);
  },

  'create: counts each client by itself': async (storage) => {
    await givenClient(storage, 2);
    await givenVerifications(storage, [1, 5]);

    const first = aRecord(6, { clientId: clientId(2) });

    expect(await createCharged(storage, first, { allowance: 1 })).toEqual({ outcome: 'created' });
    expect((await pictureOf(storage)).map(({ used }) => used.march)).toEqual([5, 1]);
  },

  'create: of many clients at once, each gets its own allowance': async (storage) => {
    await givenClients(storage, [2, 3]);

    const outcomes = await atOnce(60, (n) =>
      createCharged(storage, aRecord(n, { clientId: clientId(1 + (n % 3)) }), { allowance: 5 + (n % 3) }),
    );

    expect(tally(outcomes)).toEqual({ created: 18, limit_reached: 42 });
    expect((await pictureOf(storage)).map(({ used }) => used.march)).toEqual([5, 6, 7]);
  },

  'create: a lowered allowance allows none, a raised one allows the difference': async (storage) => {
    await givenVerifications(storage, [1, 4]);

    await expectUnchanged(storage, async () => {
      for (const allowance of [2, 0, 4]) {
        expect(await createCharged(storage, aRecord(5), { allowance })).toEqual({ outcome: 'limit_reached' });
      }
    });

    const outcomes = await atOnce(5, (n) => createCharged(storage, aRecord(10 + n), { allowance: 6 }));
    expect(tally(outcomes)).toEqual({ created: 2, limit_reached: 3 });
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(6);
  },

  'create: a resolved verification stays counted': async (storage) => {
    await givenVerification(storage, 1, { status: 'rejected' });
    await givenVerification(storage, 2, { status: 'approved' });

    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(2);
    expect(await createCharged(storage, aRecord(3), { allowance: 2 })).toEqual({ outcome: 'limit_reached' });
  },
});
