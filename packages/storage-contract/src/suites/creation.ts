import { expect } from 'vitest';
import { givenClient } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { DIFFICULT_METADATA } from '../records/metadata.ts';
import { MARCH, minute } from '../records/moments.ts';
import { listed } from '../records/queries.ts';
import { aRecord } from '../records/records.ts';
import { DIFFICULT_TEXTS } from '../records/texts.ts';
import { createCharged, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Creation: what is kept comes back as it was given, to the last character and millisecond. */
export const creationSuite: Suite = suiteOf('creation', {
  'a created verification is found as it was given': async (storage) => {
    await givenClient(storage);
    const plain = aRecord(1, { type: 'kyc' });
    const full = aRecord(2, {
      type: 'kyb',
      subjectReference: 'Größe “7” 😀',
      requestedAt: minute(2, 345),
      linkExpiresAt: minute(50_000, 678),
      idempotencyKey: ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ A-z 0-9 '.padEnd(255, 'k'),
      idempotencyFingerprint: '0123456789abcdef'.repeat(4),
      sandboxOutcome: 'action_needed',
      metadata: { order: { id: 7, tags: ['a', 'b'] } },
      answers: { opaque: ['to', { the: 'storage' }] },
      reviewData: { also: { opaque: [1, null, true] } },
    });

    expect(await createCharged(storage, plain)).toEqual({ outcome: 'created' });
    expect(await createCharged(storage, full)).toEqual({ outcome: 'created' });

    expect(await storage.verifications.find(clientId(1), plain.id)).toEqual(plain);
    expect(await storage.verifications.find(clientId(1), full.id)).toEqual(full);
  },

  'the verification, its charge and its event are there together': async (storage) => {
    await givenClient(storage);
    const record = aRecord(1);
    const event = eventOf(record, {
      at: minute(1, 999),
      actor: { kind: 'client', id: 'key' },
      data: { type: 'kyc' },
    });

    await createCharged(storage, record, { event });

    expect(await storage.verifications.findWithEvents(clientId(1), record.id)).toEqual({
      record,
      events: [event],
    });
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(1);
    expect(await listed(storage)).toEqual({ ids: [record.id], totalCount: 1 });
  },

  'references differ by every character, case, accent and space': async (storage) => {
    await givenClient(storage);

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

  'metadata comes back unchanged': async (storage) => {
    await givenClient(storage);

    for (const [index, [difficulty, metadata]] of Object.entries(DIFFICULT_METADATA).entries()) {
      const { id } = await givenVerification(storage, index + 1, { metadata });
      const found = await storage.verifications.find(clientId(1), id);
      expect(found?.metadata, difficulty).toEqual(metadata);
    }
  },

  'answers and reviewData come back unchanged': async (storage) => {
    await givenClient(storage);

    for (const [index, [difficulty, document]] of Object.entries(DIFFICULT_METADATA).entries()) {
      const { id } = await givenVerification(storage, index + 1, { answers: document, reviewData: { document } });
      const found = await storage.verifications.find(clientId(1), id);
      expect(found?.answers, difficulty).toEqual(document);
      expect(found?.reviewData, difficulty).toEqual({ document });
    }
  },

  'moments are kept to the millisecond, whatever the season': async (storage) => {
    await givenClient(storage);
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
