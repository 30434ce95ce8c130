import { ACTIVE_STATUSES, type Status, type Storage, type VerificationRecord } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce, tally } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { MARCH } from '../records/moments.ts';
import { pictureOf } from '../records/picture.ts';
import { listed } from '../records/queries.ts';
import { aRecord } from '../records/records.ts';
import { createCharged, givenVerification } from '../records/verifications.ts';
import { type Case, type Suite, suiteOf } from '../suite.ts';

const subjectReference = 'subject';

/** One active verification for each subject of a client. */
export const duplicatesSuite: Suite = suiteOf('duplicates', {
  ...Object.fromEntries(
    ACTIVE_STATUSES.map((status) => [`a ${status} verification stands in the way`, blockedBy(status)]),
  ),

  'an approved verification leaves the way free': freeAfter('approved'),

  'a rejected verification leaves the way free': freeAfter('rejected'),

  'the active one is named, not a resolved one of the same subject': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1, { subjectReference, status: 'approved' });
    await givenVerification(storage, 3, { subjectReference, status: 'rejected' });
    await givenVerification(storage, 2, { subjectReference, status: 'submitted' });

    const outcome = await createCharged(storage, aRecord(4, { subjectReference }));

    expect(outcome).toEqual({ outcome: 'duplicate', verificationId: verificationId(2), status: 'submitted' });
  },

  'a verification stands in the way whatever its type': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1, { subjectReference, type: 'kyc' });

    expect((await createCharged(storage, aRecord(2, { subjectReference, type: 'kyb' }))).outcome).toBe(
      'duplicate',
    );
  },

  'another subject, or the same of another client, is no duplicate': async (storage) => {
    await givenClients(storage, 2);
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

  'of fifty at once for one subject, one is created and all others name it': async (storage) => {
    await givenClient(storage);

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

  'once resolved, of many at once one is created': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 100, { subjectReference, status: 'rejected' });

    const outcomes = await atOnce(20, (n) => createCharged(storage, aRecord(n, { subjectReference })));

    expect(tally(outcomes)).toEqual({ created: 1, duplicate: 19 });
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(2);
  },
});

function blockedBy(status: Status): Case['run'] {
  return async (storage: Storage) => {
    await givenClient(storage);
    const { id } = await givenVerification(storage, 1, { subjectReference, status });
    const before = await pictureOf(storage);

    const outcome = await createCharged(storage, aRecord(2, { subjectReference }));

    expect(outcome).toEqual({ outcome: 'duplicate', verificationId: id, status });
    expect(await pictureOf(storage)).toEqual(before);
  };
}

function freeAfter(status: Status): Case['run'] {
  return async (storage: Storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1, { subjectReference, status });

    expect(await createCharged(storage, aRecord(2, { subjectReference }))).toEqual({ outcome: 'created' });

    expect((await createCharged(storage, aRecord(3, { subjectReference }))).outcome).toBe('duplicate');
    expect((await listed(storage, { subjectReference })).totalCount).toBe(2);
  };
}
