import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { pictureOf } from '../records/picture.ts';
import { listed } from '../records/queries.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

const KEYED = { idempotencyKey: 'key', idempotencyFingerprint: '1'.repeat(64) } as const;
const SAME_SUBJECT = { ...KEYED, subjectReference: 'subject' } as const;

/** `Idempotency-Key`: one verification for each key of a client, however often it is asked for. */
export const idempotencyKeysSuite: Suite = suiteOf('idempotency keys', {
  'a key that was used gives its verification and changes nothing': async (storage) => {
    await givenClient(storage);
    const first = await givenVerification(storage, 1, { ...KEYED, sandboxOutcome: 'approved' });
    const before = await pictureOf(storage);

    const outcome = await createCharged(storage, aRecord(2, { ...KEYED, idempotencyFingerprint: '2'.repeat(64) }));

    expect(outcome).toEqual({ outcome: 'key_used', record: first });
    expect(await pictureOf(storage)).toEqual(before);
  },

  'the verification comes as it is now, also once resolved': async (storage) => {
    await givenClient(storage);
    const pending = await givenVerification(storage, 1, KEYED);
    let present = moved(pending, 'submitted', { answers: { now: 'submitted' } });

    await commit(storage, present);
    expect(await createCharged(storage, aRecord(2, KEYED))).toEqual({ outcome: 'key_used', record: present });

    present = moved(present, 'approved');
    await commit(storage, present);
    expect(await createCharged(storage, aRecord(2, KEYED))).toEqual({ outcome: 'key_used', record: present });
    expect(await storage.verifications.findByIdempotencyKey(clientId(1), 'key')).toEqual(present);
  },

  'a refused creation does not use up its key': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1, { subjectReference: 'subject' });

    expect((await createCharged(storage, aRecord(2, SAME_SUBJECT))).outcome).toBe('duplicate');
    expect((await createCharged(storage, aRecord(2, KEYED), { allowance: 1 })).outcome).toBe('limit_reached');

    expect(await createCharged(storage, aRecord(2, KEYED))).toEqual({ outcome: 'created' });
  },

  'of fifty at once with one key for different subjects, one is created and counted': async (storage) => {
    await givenClient(storage);

    const outcomes = await atOnce(50, (n) => createCharged(storage, aRecord(n, KEYED)));

    expect(tally(outcomes)).toEqual({ created: 1, key_used: 49 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'created');
    expect(await listed(storage)).toEqual({ ids: [verificationId(winner)], totalCount: 1 });
    const [picture] = await pictureOf(storage);
    expect(picture?.used.march).toBe(1);
    expect(picture?.events).toHaveLength(1);
  },

  'each client has keys of its own': async (storage) => {
    await givenClients(storage, 2);
    const first = await givenVerification(storage, 1, KEYED);
    const second = { ...KEYED, clientId: clientId(2) };

    expect(await storage.verifications.findByIdempotencyKey(clientId(2), 'key')).toBeNull();
    expect(await createCharged(storage, aRecord(2, second))).toEqual({ outcome: 'created' });

    expect(await storage.verifications.findByIdempotencyKey(clientId(1), 'key')).toEqual(first);
    expect(await storage.verifications.findByIdempotencyKey(clientId(2), 'key')).toEqual(aRecord(2, second));
  },

  'keys differ by every character, and are found exactly': async (storage) => {
    await givenClient(storage);
    const keys = [
      'a',
      'A',
      'a ',
      ' a',
      '%',
      '_',
      "'",
      '"',
      '\\',
      'k'.repeat(255),
      `${'k'.repeat(254)}l`,
      '0',
      '00',
      'null',
    ];

    for (const [index, idempotencyKey] of keys.entries()) {
      const record = aRecord(index + 1, { ...KEYED, idempotencyKey });
      expect(await createCharged(storage, record), idempotencyKey).toEqual({ outcome: 'created' });
    }
    for (const [index, key] of keys.entries()) {
      const found = await storage.verifications.findByIdempotencyKey(clientId(1), key);
      expect(found?.id, key).toBe(verificationId(index + 1));
    }
    expect(await storage.verifications.findByIdempotencyKey(clientId(1), 'b')).toBeNull();
  },

  'verifications without a key are never taken for one another': async (storage) => {
    await givenClient(storage);

    const outcomes = await Promise.all(range(1, 10).map((n) => createCharged(storage, aRecord(n))));

    expect(tally(outcomes)).toEqual({ created: 10 });
    for (const key of ['', 'null']) {
      expect(await storage.verifications.findByIdempotencyKey(clientId(1), key)).toBeNull();
    }
  },
});
