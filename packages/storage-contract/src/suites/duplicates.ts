import { ACTIVE_STATUSES, type Status } from '@countersign/domain';
import type { VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { clientId, MARCH, verificationId } from '../records/ids.ts';
import { pictureOf } from '../records/picture.ts';
import { listed } from '../records/queries.ts';
import { aRecord, keyedBy, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification } from '../records/verifications.ts';
import { type Case, type Suite, suiteGiven } from '../suite.ts';

const subjectReference = 'subject';

/** One active verification for each subject of a client. */
export const duplicatesSuite: Suite = suiteGiven('duplicates', givenClient, {
  ...Object.fromEntries(
    ACTIVE_STATUSES.map((status) => [
      `create: a ${status} verification of the subject is a duplicate`,
      blockedBy(status),
    ]),
  ),

  'create: allows a second verification of a subject whose first was approved': freeAfter('approved'),

  'create: allows a second verification of a subject whose first was rejected': freeAfter('rejected'),

  'create: a duplicate names the active verification, not a resolved one': async (storage) => {
    await givenVerification(storage, 1, { subjectReference, status: 'approved' });
    await givenVerification(storage, 3, { subjectReference, status: 'rejected' });
    await givenVerification(storage, 2, { subjectReference, status: 'submitted' });

    const outcome = await createCharged(storage, aRecord(4, { subjectReference }));

    expect(outcome).toEqual({ outcome: 'duplicate', verificationId: verificationId(2), status: 'submitted' });
  },

  'create: a verification of the other type is a duplicate too': async (storage) => {
    await givenVerification(storage, 1, { subjectReference, type: 'kyc' });

    expect((await createCharged(storage, aRecord(2, { subjectReference, type: 'kyb' }))).outcome).toBe(
      'duplicate',
    );
  },

  'create: another subject, or the same subject of another client, is no duplicate': async (storage) => {
    await givenClient(storage, 2);
    await givenVerification(storage, 1, { subjectReference });

    const others: Partial<VerificationRecord>[] = [
      { subjectReference: 'Subject' },
      { subjectReference: 'subject2' },
      { subjectReference, clientId: clientId(2) },
    ];
    for (const [index, other] of others.entries()) {
      expect(await createCharged(storage, aRecord(index + 2, other))).toEqual({ outcome: 'created' });
    }
  },

  'create: of fifty at once for one subject, one is created and the others name it': async (storage) => {
    const outcomes = await atOnce(50, (n) => createCharged(storage, aRecord(n, { subjectReference })));

    expect(tally(outcomes)).toEqual({ created: 1, duplicate: 49 });
    const id = verificationId(outcomes.findIndex(({ outcome }) => outcome === 'created'));
    const losers = outcomes.filter(({ outcome }) => outcome === 'duplicate');
    const answer = { outcome: 'duplicate', verificationId: id, status: 'pending' };
    expect(losers).toEqual(losers.map(() => answer));
    expect(await listed(storage)).toEqual({ ids: [id], totalCount: 1 });
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(1);
    expect((await pictureOf(storage))[0]?.events.map(({ verificationId }) => verificationId)).toEqual([id]);
  },

  'create: of many at once after the resolution, one is created': async (storage) => {
    await givenVerification(storage, 100, { subjectReference, status: 'rejected' });

    const outcomes = await atOnce(20, (n) => createCharged(storage, aRecord(n, { subjectReference })));

    expect(tally(outcomes)).toEqual({ created: 1, duplicate: 19 });
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(2);
  },
});

function blockedBy(status: Status): Case['run'] {
  return async (storage) => {
    const { id } = await givenVerification(storage, 1, { subjectReference, status });
    const before = await pictureOf(storage);

    const outcome = await createCharged(storage, aRecord(2, { subjectReference }));

    expect(outcome).toEqual({ outcome: 'duplicate', verificationId: id, status });
    expect(await pictureOf(storage)).toEqual(before);
  };
}

function freeAfter(status: Status): Case['run'] {
  return async (storage) => {
    await givenVerification(storage, 1, { subjectReference, status });

    expect(await createCharged(storage, aRecord(2, { subjectReference }))).toEqual({ outcome: 'created' });

    expect((await createCharged(storage, aRecord(3, { subjectReference }))).outcome).toBe('duplicate');
    expect((await listed(storage, { subjectReference })).totalCount).toBe(2);
  };
}

const KEYED = keyedBy('key');
const SAME_SUBJECT = { ...KEYED, subjectReference: 'subject' } as const;

/** `Idempotency-Key`: one verification for each key of a client, however often it is asked for. */
export const idempotencyKeysSuite: Suite = suiteGiven('idempotency keys', givenClient, {
  'create: a used key returns its verification and changes nothing': async (storage) => {
    const first = await givenVerification(storage, 1, { ...KEYED, sandboxOutcome: 'approved' });
    const before = await pictureOf(storage);

    const outcome = await createCharged(storage, aRecord(2, { ...KEYED, idempotencyFingerprint: '2'.repeat(64) }));

    expect(outcome).toEqual({ outcome: 'key_used', record: first });
    expect(await pictureOf(storage)).toEqual(before);
  },

  'create: a used key returns the current verification, also when it is resolved': async (storage) => {
    const pending = await givenVerification(storage, 1, KEYED);
    let present = moved(pending, 'submitted', { answers: { now: 'submitted' } });

    await commit(storage, present);
    expect(await createCharged(storage, aRecord(2, KEYED))).toEqual({ outcome: 'key_used', record: present });

    for (const status of ['action_needed', 'rejected'] as const) {
      present = moved(present, status);
      await commit(storage, present);
      expect(await createCharged(storage, aRecord(2, KEYED))).toEqual({ outcome: 'key_used', record: present });
    }
    expect(await storage.verifications.findByIdempotencyKey(clientId(1), 'key')).toEqual(present);

    const approved = moved(await givenVerification(storage, 3, keyedBy('other')), 'approved');
    await commit(storage, approved);
    const again = aRecord(4, keyedBy('other'));
    expect(await createCharged(storage, again)).toEqual({ outcome: 'key_used', record: approved });
  },

  'create: a refused request does not use up its key': async (storage) => {
    await givenVerification(storage, 1, { subjectReference: 'subject' });

    expect((await createCharged(storage, aRecord(2, SAME_SUBJECT))).outcome).toBe('duplicate');
    expect((await createCharged(storage, aRecord(2, KEYED), { allowance: 1 })).outcome).toBe('limit_reached');

    expect(await createCharged(storage, aRecord(2, KEYED))).toEqual({ outcome: 'created' });
  },

  'create: of fifty at once with one key and different subjects, one is created and charged': async (storage) => {
    const outcomes = await atOnce(50, (n) => createCharged(storage, aRecord(n, KEYED)));

    expect(tally(outcomes)).toEqual({ created: 1, key_used: 49 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'created');
    expect(await listed(storage)).toEqual({ ids: [verificationId(winner)], totalCount: 1 });
    const [picture] = await pictureOf(storage);
    expect(picture?.used.march).toBe(1);
    expectCount(picture?.events, 1);
  },

  'create: the same key of two clients makes two verifications': async (storage) => {
    await givenClient(storage, 2);
    const first = await givenVerification(storage, 1, KEYED);
    const second = { ...KEYED, clientId: clientId(2) };

    expect(await storage.verifications.findByIdempotencyKey(clientId(2), 'key')).toBeNull();
    expect(await createCharged(storage, aRecord(2, second))).toEqual({ outcome: 'created' });

    expect(await storage.verifications.findByIdempotencyKey(clientId(1), 'key')).toEqual(first);
    expect(await storage.verifications.findByIdempotencyKey(clientId(2), 'key')).toEqual(aRecord(2, second));
  },

  'create: keys that differ in one character are different keys': async (storage) => {
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

  'create: requests without a key are never replays': async (storage) => {
    const outcomes = await Promise.all(range(1, 10).map((n) => createCharged(storage, aRecord(n))));

    expect(tally(outcomes)).toEqual({ created: 10 });
    for (const key of ['', 'null']) {
      expect(await storage.verifications.findByIdempotencyKey(clientId(1), key)).toBeNull();
    }
  },
});

/** Which refusal a creation answers when several apply. */
export const precedenceSuite: Suite = suiteGiven('precedence', givenClient, {
  'create: answers key_used before duplicate, and duplicate before limit_reached': async (storage) => {
    const first = await givenVerification(storage, 1, SAME_SUBJECT);
    const newKey = keyedBy('new');

    const asked = (given: Partial<VerificationRecord>, allowance: number) =>
      createCharged(storage, aRecord(2, given), { allowance });

    expect(await asked(SAME_SUBJECT, 1)).toEqual({ outcome: 'key_used', record: first });
    expect(await asked(KEYED, 1)).toEqual({ outcome: 'key_used', record: first });
    expect(await asked(SAME_SUBJECT, 1_000)).toEqual({ outcome: 'key_used', record: first });
    const duplicate = { outcome: 'duplicate', verificationId: first.id, status: 'pending' };
    expect(await asked({ ...newKey, subjectReference }, 1)).toEqual(duplicate);
    expect(await asked({ subjectReference }, 1)).toEqual(duplicate);
    expect(await asked(newKey, 1)).toEqual({ outcome: 'limit_reached' });
  },

  'create: answers key_used even when another verification is a duplicate': async (storage) => {
    const first = await givenVerification(storage, 1, KEYED);
    await givenVerification(storage, 2, { subjectReference: 'subject' });

    const outcome = await createCharged(storage, aRecord(3, SAME_SUBJECT), { allowance: 2 });

    expect(outcome).toEqual({ outcome: 'key_used', record: first });
  },

  'create: of fifty at once with one key and one subject, one is created and the others are replays': async (
    storage,
  ) => {
    const outcomes = await atOnce(50, (n) => createCharged(storage, aRecord(n, SAME_SUBJECT), { allowance: 1 }));

    expect(tally(outcomes)).toEqual({ created: 1, key_used: 49 });
    const winner = aRecord(
      outcomes.findIndex(({ outcome }) => outcome === 'created'),
      SAME_SUBJECT,
    );
    const others = outcomes.filter(({ outcome }) => outcome === 'key_used');
    expect(others).toEqual(others.map(() => ({ outcome: 'key_used', record: winner })));
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(1);
  },

  'create: answers duplicate before limit_reached, also when the last unit is charged at the same time': async (
    storage,
  ) => {
    const outcomes = await atOnce(20, (n) =>
      createCharged(storage, aRecord(n, { subjectReference }), { allowance: 1 }),
    );

    expect(tally(outcomes)).toEqual({ created: 1, duplicate: 19 });
    expect((await createCharged(storage, aRecord(20, { subjectReference }), { allowance: 1 })).outcome).toBe(
      'duplicate',
    );
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(1);
  },
});
