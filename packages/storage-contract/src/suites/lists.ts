import {
  LIST_LIMIT_MAX,
  LIST_PAGE_MAX,
  SORT_FIELDS,
  type SortField,
  STATUSES,
  type SubjectType,
} from '@countersign/domain';
import type { Storage, VerificationQuery, VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { minute, verificationId } from '../records/ids.ts';
import { listed } from '../records/queries.ts';
import { DIFFICULT_TEXTS } from '../records/texts.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Case, type Suite, suiteGiven } from '../suite.ts';

/** Eight verifications with different and equal values in every sort field. */
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

/** Ascending order by each field, ties by request time, then by id. Descending is the reverse, but nulls stay last. */
const ASCENDING: Readonly<Record<Exclude<SortField, 'subjectReference'>, readonly number[]>> = {
  requestedAt: [2, 5, 8, 4, 1, 3, 7, 6],
  resolvedAt: [4, 2, 6, 5, 8, 1, 3, 7],
  status: [5, 2, 6, 3, 7, 4, 8, 1],
  type: [2, 5, 7, 8, 4, 1, 3, 6],
  currentStep: [3, 7, 5, 8, 4, 1, 6, 2],
};
const RESOLVED_DESCENDING = [6, 2, 4, 7, 3, 1, 8, 5];

/**
 * In order of code points: digits, upper case, `_`, lower case, accents, other scripts, characters beyond the BMP. By
 * UTF-16 unit, full-width forms would come last; by language, cases and accents would mix.
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

/** Orders of lists: every field, both directions, text by code point, nulls last, ties by request time, then by id. */
export const listingOrderSuite: Suite = suiteGiven('listing order', givenClient, {
  ...Object.fromEntries(
    SORT_FIELDS.filter((field) => field !== 'subjectReference').flatMap((field) => [
      [`list: ${field} ascending, ties by ascending requestedAt and id`, sortedBy(field, 'asc')],
      [`list: ${field} descending, ties by descending requestedAt and id`, sortedBy(field, 'desc')],
    ]),
  ),
  'list: orders subjectReference ascending by code point': referencesSorted('asc'),
  'list: orders subjectReference descending by code point': referencesSorted('desc'),

  'list: orders verifications of one subject by requestedAt, then by id': async (storage) => {
    for (const n of [3, 1, 2, 4]) {
      const requestedAt = minute(n === 3 ? 9 : 10);
      await givenVerification(storage, n, { subjectReference: 'same', status: 'rejected', requestedAt });
    }

    const [upwards, downwards] = [
      await order(storage, 'subjectReference', 'asc'),
      await order(storage, 'subjectReference', 'desc'),
    ];

    expect(upwards).toEqual([3, 1, 2, 4].map(verificationId));
    expect(downwards).toEqual([4, 2, 1, 3].map(verificationId));
  },
});

function sortedBy(field: keyof typeof ASCENDING, sortOrder: 'asc' | 'desc'): Case['run'] {
  return async (storage) => {
    for (const n of [5, 2, 8, 1, 7, 3, 6, 4]) await givenVerification(storage, n, STORED[n]);
    const mirrored = field === 'resolvedAt' ? RESOLVED_DESCENDING : [...ASCENDING[field]].reverse();

    const ids = await order(storage, field, sortOrder);

    expect(ids).toEqual((sortOrder === 'asc' ? ASCENDING[field] : mirrored).map(verificationId));
  };
}

function referencesSorted(sortOrder: 'asc' | 'desc'): Case['run'] {
  return async (storage) => {
    // The order of insertion and the order of ids both differ from the order by reference.
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

/** Filters of lists: each alone, all together, with exact totals. */
export const listingFiltersSuite: Suite = suiteGiven('listing filters', givenClient, {
  'list: without filters returns all verifications': async (storage) => {
    await givenEveryKind(storage);

    expect(await listed(storage)).toEqual(ids(...range(1, 10)));
  },

  'filter: by status': async (storage) => {
    await givenEveryKind(storage);

    for (const [index, status] of STATUSES.entries()) {
      expect(await listed(storage, { status }), status).toEqual(ids(index + 1, index + 6));
    }
  },

  'filter: by type': async (storage) => {
    await givenEveryKind(storage);

    expect(await listed(storage, { type: 'kyc' })).toEqual(ids(1, 2, 3, 4, 5));
    expect(await listed(storage, { type: 'kyb' })).toEqual(ids(6, 7, 8, 9, 10));
  },

  'filter: by subjectReference returns all verifications of the subject': async (storage) => {
    for (const n of [1, 2, 3])
      await givenVerification(storage, n, { subjectReference: 'same', status: 'rejected' });
    await givenVerification(storage, 4, { subjectReference: 'same' });
    await givenVerification(storage, 5, { subjectReference: 'other' });

    expect(await listed(storage, { subjectReference: 'same' })).toEqual(ids(1, 2, 3, 4));
    expect(await listed(storage, { subjectReference: 'same', status: 'pending' })).toEqual(ids(4));
  },

  'filter: by all filters together': async (storage) => {
    await givenEveryKind(storage);
    const third = { status: 'action_needed', type: 'kyc', subjectReference: 'subject_3' } as const;

    expect(await listed(storage, third)).toEqual(ids(3));
    for (const other of [{ status: 'pending' }, { type: 'kyb' }, { subjectReference: 'subject_8' }] as const) {
      expect(await listed(storage, { ...third, ...other })).toEqual(ids());
    }
  },

  'filter: holds in every sort order': async (storage) => {
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

  'filter: subjectReference matches exactly, without wildcards, prefixes or case folding': async (storage) => {
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

  'filter: without a match the page is empty and the total is 0': async (storage) => {
    expect(await listed(storage)).toEqual(ids());

    await givenVerification(storage, 1);
    expect(await listed(storage, { status: 'approved' })).toEqual(ids());
  },
});

const ids = (...numbers: number[]): { ids: string[]; totalCount: number } => ({
  ids: numbers.map(verificationId),
  totalCount: numbers.length,
});

/** Ten verifications: 1–5 KYC, 6–10 KYB, one in each of the five states. */
async function givenEveryKind(storage: Storage): Promise<void> {
  for (const n of range(1, 10)) {
    const type: SubjectType = n <= 5 ? 'kyc' : 'kyb';
    const status = STATUSES[(n - 1) % STATUSES.length] ?? 'pending';
    await givenVerification(storage, n, { type, status });
  }
}

/** Pages of lists: no gaps, no repeats, and the same total on every page. */
export const pagingSuite: Suite = suiteGiven('paging', givenTwentyThree, {
  'page: pages have no gaps and no repeats, also among ties': async (storage) => {
    for (const sortBy of SORT_FIELDS) {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const whole = await listed(storage, { sortBy, sortOrder });
        const paged: string[] = [];
        for (let offset = 0; offset < 25; offset += 5) {
          paged.push(...(await listed(storage, { sortBy, sortOrder, offset, limit: 5 })).ids);
        }
        expect(paged, `${sortBy} ${sortOrder}`).toEqual(whole.ids);
        expect(new Set(paged).size, `${sortBy} ${sortOrder}`).toBe(23);
      }
    }
  },

  'page: returns the records between offset and limit': async (storage) => {
    const page = async (offset: number, limit: number) =>
      (await listed(storage, { sortBy: 'subjectReference', offset, limit })).ids;

    expect(await page(0, 1)).toEqual([verificationId(1)]);
    expect(await page(3, 4)).toEqual([4, 5, 6, 7].map(verificationId));
    expect(await page(20, 10)).toEqual([21, 22, 23].map(verificationId));
    expect(await page(22, LIST_LIMIT_MAX)).toEqual([verificationId(23)]);
  },

  'page: the total is exact on every page': async (storage) => {
    for (const [offset, limit] of [
      [0, 1],
      [0, 23],
      [20, 10],
      [23, 10],
      [500, 100],
    ] as const) {
      expect((await listed(storage, { offset, limit })).totalCount).toBe(23);
      expect((await listed(storage, { offset, limit, type: 'kyb' })).totalCount).toBe(7);
    }
  },

  'page: a limit of 0 only counts': async (storage) => {
    expect(await listed(storage, { offset: 0, limit: 0 })).toEqual({ ids: [], totalCount: 23 });
    expect(await listed(storage, { offset: 0, limit: 0, type: 'kyb' })).toEqual({ ids: [], totalCount: 7 });
  },

  'page: is empty past the end, at any offset': async (storage) => {
    for (const offset of [23, 24, 1_000, 2 ** 32, LIST_PAGE_MAX * LIST_LIMIT_MAX]) {
      expect(await listed(storage, { offset, limit: 10 })).toEqual({ ids: [], totalCount: 23 });
    }
  },

  'page: pages of a filtered list have matches only': async (storage) => {
    const filtered = { sortBy: 'subjectReference', type: 'kyb', limit: 3 } as const;

    expect((await listed(storage, { ...filtered, offset: 0 })).ids).toEqual([3, 6, 9].map(verificationId));
    expect((await listed(storage, { ...filtered, offset: 3 })).ids).toEqual([12, 15, 18].map(verificationId));
    expect((await listed(storage, { ...filtered, offset: 6 })).ids).toEqual([verificationId(21)]);
  },
});

/** 23 pending verifications, every third KYB, requested at three moments: many ties in every field but the reference. */
async function givenTwentyThree(storage: Storage): Promise<void> {
  await givenClient(storage);
  for (const n of range(1, 23)) {
    const subjectReference = `subject_${String(n).padStart(2, '0')}`;
    const type = n % 3 === 0 ? 'kyb' : 'kyc';
    await givenVerification(storage, n, { subjectReference, type, requestedAt: minute(n % 3) });
  }
}
