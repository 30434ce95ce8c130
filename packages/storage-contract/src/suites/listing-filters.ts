import { STATUSES, type Storage, type SubjectType, type VerificationQuery } from '@countersign/domain';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { verificationId } from '../records/ids.ts';
import { listed } from '../records/queries.ts';
import { DIFFICULT_TEXTS } from '../records/texts.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Filters of lists: each alone, all together, and always exact. */
export const listingFiltersSuite: Suite = suiteOf('listing filters', {
  'without filters everything is listed': async (storage) => {
    await givenEveryKind(storage);

    expect(await listed(storage)).toEqual(ids(...range(1, 10)));
  },

  'by status': async (storage) => {
    await givenEveryKind(storage);

    for (const [index, status] of STATUSES.entries()) {
      expect(await listed(storage, { status }), status).toEqual(ids(index + 1, index + 6));
    }
  },

  'by type': async (storage) => {
    await givenEveryKind(storage);

    expect(await listed(storage, { type: 'kyc' })).toEqual(ids(1, 2, 3, 4, 5));
    expect(await listed(storage, { type: 'kyb' })).toEqual(ids(6, 7, 8, 9, 10));
  },

  'by subjectReference, all of one subject': async (storage) => {
    await givenClient(storage);
    for (const n of [1, 2, 3])
      await givenVerification(storage, n, { subjectReference: 'same', status: 'rejected' });
    await givenVerification(storage, 4, { subjectReference: 'same' });
    await givenVerification(storage, 5, { subjectReference: 'other' });

    expect(await listed(storage, { subjectReference: 'same' })).toEqual(ids(1, 2, 3, 4));
    expect(await listed(storage, { subjectReference: 'same', status: 'pending' })).toEqual(ids(4));
  },

  'by all filters together': async (storage) => {
    await givenEveryKind(storage);
    const third = { status: 'action_needed', type: 'kyc', subjectReference: 'subject_3' } as const;

    expect(await listed(storage, third)).toEqual(ids(3));
    for (const other of [{ status: 'pending' }, { type: 'kyb' }, { subjectReference: 'subject_8' }] as const) {
      expect(await listed(storage, { ...third, ...other })).toEqual(ids());
    }
  },

  'filters hold in every order': async (storage) => {
    await givenEveryKind(storage);
    const queries: Partial<VerificationQuery>[] = [
      { sortBy: 'requestedAt', sortOrder: 'desc' },
      { sortBy: 'subjectReference', sortOrder: 'desc' },
      { sortBy: 'resolvedAt', sortOrder: 'desc' },
    ];

    for (const query of queries) {
      expect(await listed(storage, { ...query, status: 'approved' })).toEqual(ids(9, 4));
    }
  },

  'subjectReference matches exactly: no wildcard, no prefix, no folding': async (storage) => {
    await givenClient(storage);
    for (const [index, subjectReference] of DIFFICULT_TEXTS.entries()) {
      await givenVerification(storage, index + 1, { subjectReference });
    }

    for (const [index, subjectReference] of DIFFICULT_TEXTS.entries()) {
      expect(await listed(storage, { subjectReference }), subjectReference).toEqual(ids(index + 1));
    }
    for (const subjectReference of ['user', 'user__', 'user_1%', '%user%', '*', '.*', 'e', 'x', '']) {
      expect(await listed(storage, { subjectReference }), subjectReference).toEqual(ids());
    }
  },

  'where nothing matches, the page is empty and the total is 0': async (storage) => {
    await givenClient(storage);
    expect(await listed(storage)).toEqual(ids());

    await givenVerification(storage, 1);
    expect(await listed(storage, { status: 'approved' })).toEqual(ids());
  },
});

const ids = (...numbers: number[]): { ids: string[]; totalCount: number } => ({
  ids: numbers.map(verificationId),
  totalCount: numbers.length,
});

/** Ten verifications: 1–5 KYC and 6–10 KYB, each in the five states by turns. */
async function givenEveryKind(storage: Storage): Promise<void> {
  await givenClient(storage);
  for (const n of range(1, 10)) {
    const type: SubjectType = n <= 5 ? 'kyc' : 'kyb';
    const status = STATUSES[(n - 1) % STATUSES.length] ?? 'pending';
    await givenVerification(storage, n, { type, status });
  }
}
