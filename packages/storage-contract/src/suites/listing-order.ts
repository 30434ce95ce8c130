import { SORT_FIELDS, type SortField, type Storage, type VerificationRecord } from '@countersign/domain';
import { expect } from 'vitest';
import { givenClient } from '../records/clients.ts';
import { verificationId } from '../records/ids.ts';
import { minute } from '../records/moments.ts';
import { listed } from '../records/queries.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Case, type Suite, suiteOf } from '../suite.ts';

/** Eight verifications that differ, and agree, in every field that lists are sorted by. */
const STORED: Readonly<Record<number, Partial<VerificationRecord>>> = {
  1: { status: 'submitted', type: 'kyc', requestedAt: minute(30), currentStep: 6 },
  2: { status: 'approved', type: 'kyb', requestedAt: minute(10), currentStep: 7, resolvedAt: minute(90, 2) },
  3: { status: 'pending', type: 'kyc', requestedAt: minute(30), currentStep: 0 },
  4: { status: 'rejected', type: 'kyc', requestedAt: minute(20, 1), currentStep: 6, resolvedAt: minute(90, 1) },
  5: { status: 'action_needed', type: 'kyb', requestedAt: minute(20), currentStep: 2 },
  6: { status: 'approved', type: 'kyc', requestedAt: minute(50), currentStep: 6, resolvedAt: minute(90, 2) },
  7: { status: 'pending', type: 'kyb', requestedAt: minute(40), currentStep: 0 },
  8: { status: 'submitted', type: 'kyc', requestedAt: minute(20), currentStep: 6 },
};

/** Ascending order by each field, ties by id. Descending is the mirror image, but for nulls: they stay last. */
const ASCENDING: Readonly<Record<Exclude<SortField, 'subjectReference'>, readonly number[]>> = {
  requestedAt: [2, 5, 8, 4, 1, 3, 7, 6],
  resolvedAt: [4, 2, 6, 1, 3, 5, 7, 8],
  status: [5, 2, 6, 3, 7, 4, 1, 8],
  type: [2, 5, 7, 1, 3, 4, 6, 8],
  currentStep: [3, 7, 5, 1, 4, 6, 8, 2],
};
const RESOLVED_DESCENDING = [6, 2, 4, 8, 7, 5, 3, 1];

/**
 * By code point: digits, upper case, `_`, lower case, accents, other scripts, and last what lies beyond the BMP. By
 * UTF-16 unit the last two would change places with full-width forms; by language, cases and accents would mix.
 */
const REFERENCES = [
  '10',
  '9',
  'A',
  'B_1',
  'Ba',
  'Z',
  '_',
  'a',
  'aa',
  'ab',
  'b',
  'é',
  'λ',
  'я',
  '日',
  '\uff21',
  '😀',
  '😀a',
];

/** Orders of lists: every field, both directions, text by code point, nulls last, ties by id. */
export const listingOrderSuite: Suite = suiteOf('listing order', {
  ...Object.fromEntries(
    SORT_FIELDS.filter((field) => field !== 'subjectReference').flatMap((field) => [
      [`${field} ascending, ties by ascending id`, sortedBy(field, 'asc')],
      [`${field} descending, ties by descending id`, sortedBy(field, 'desc')],
    ]),
  ),
  'subjectReference ascending, by code point': referencesSorted('asc'),
  'subjectReference descending, by code point': referencesSorted('desc'),

  'verifications of one subject are ordered by id': async (storage) => {
    await givenClient(storage);
    for (const n of [3, 1, 2])
      await givenVerification(storage, n, { subjectReference: 'same', status: 'rejected' });

    const [upwards, downwards] = [
      await order(storage, 'subjectReference', 'asc'),
      await order(storage, 'subjectReference', 'desc'),
    ];

    expect(upwards).toEqual([1, 2, 3].map(verificationId));
    expect(downwards).toEqual([3, 2, 1].map(verificationId));
  },
});

function sortedBy(field: keyof typeof ASCENDING, sortOrder: 'asc' | 'desc'): Case['run'] {
  return async (storage) => {
    await givenClient(storage);
    for (const n of [5, 2, 8, 1, 7, 3, 6, 4]) await givenVerification(storage, n, STORED[n]);
    const mirrored = field === 'resolvedAt' ? RESOLVED_DESCENDING : [...ASCENDING[field]].reverse();

    const ids = await order(storage, field, sortOrder);

    expect(ids).toEqual((sortOrder === 'asc' ? ASCENDING[field] : mirrored).map(verificationId));
  };
}

function referencesSorted(sortOrder: 'asc' | 'desc'): Case['run'] {
  return async (storage) => {
    await givenClient(storage);
    // Neither the order of writing nor that of the ids is the order asked for.
    const scattered = REFERENCES.map((_, index) => (index * 7) % REFERENCES.length);
    for (const [n, index] of scattered.entries()) {
      await givenVerification(storage, n + 1, { subjectReference: REFERENCES[index] ?? '' });
    }
    const ascending = REFERENCES.map((_, index) => verificationId(scattered.indexOf(index) + 1));

    const ids = await order(storage, 'subjectReference', sortOrder);

    expect(ids).toEqual(sortOrder === 'asc' ? ascending : ascending.reverse());
  };
}

async function order(storage: Storage, sortBy: SortField, sortOrder: 'asc' | 'desc'): Promise<string[]> {
  return (await listed(storage, { sortBy, sortOrder })).ids;
}
