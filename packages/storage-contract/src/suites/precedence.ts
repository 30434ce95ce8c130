import type { VerificationRecord } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { clientId } from '../records/ids.ts';
import { MARCH } from '../records/moments.ts';
import { aRecord } from '../records/records.ts';
import { createCharged, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

const KEYED = { idempotencyKey: 'key', idempotencyFingerprint: '1'.repeat(64) } as const;
const subjectReference = 'subject';
const SAME_SUBJECT = { ...KEYED, subjectReference } as const;

/** Where several things stand in the way of a creation: which of them is told. */
export const precedenceSuite: Suite = suiteOf('precedence', {
  'a used key comes before a duplicate, and a duplicate before the limit': async (storage) => {
    await givenClient(storage);
    const first = await givenVerification(storage, 1, SAME_SUBJECT);
    const newKey = { idempotencyKey: 'new', idempotencyFingerprint: KEYED.idempotencyFingerprint };

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

  'a key used for one verification comes before a duplicate of another': async (storage) => {
    await givenClient(storage);
    const first = await givenVerification(storage, 1, KEYED);
    await givenVerification(storage, 2, { subjectReference: 'subject' });

    const outcome = await createCharged(storage, aRecord(3, SAME_SUBJECT), { allowance: 2 });

    expect(outcome).toEqual({ outcome: 'key_used', record: first });
  },

  'of fifty at once with one key for one subject, one is created and the others get it': async (storage) => {
    await givenClient(storage);

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

  'a duplicate is told before the limit, also when the last unit is given away at once': async (storage) => {
    await givenClient(storage);

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
