import { LIST_LIMIT_MAX, LIST_PAGE_MAX, SORT_FIELDS, type Storage } from '@countersign/domain';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { verificationId } from '../records/ids.ts';
import { minute } from '../records/moments.ts';
import { listed } from '../records/queries.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Pages of lists: together they hold everything once, and the total does not depend on the page. */
export const pagingSuite: Suite = suiteOf('paging', {
  'pages follow one another without gaps or repeats, also among ties': async (storage) => {
    await givenTwentyThree(storage);

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

  'a page holds what its offset and limit say': async (storage) => {
    await givenTwentyThree(storage);
    const page = async (offset: number, limit: number) =>
      (await listed(storage, { sortBy: 'subjectReference', offset, limit })).ids;

    expect(await page(0, 1)).toEqual([verificationId(1)]);
    expect(await page(3, 4)).toEqual([4, 5, 6, 7].map(verificationId));
    expect(await page(20, 10)).toEqual([21, 22, 23].map(verificationId));
    expect(await page(22, LIST_LIMIT_MAX)).toEqual([verificationId(23)]);
  },

  'the total is exact on every page': async (storage) => {
    await givenTwentyThree(storage);

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

  'past the end the page is empty, however far': async (storage) => {
    await givenTwentyThree(storage);

    for (const offset of [23, 24, 1_000, 2 ** 32, LIST_PAGE_MAX * LIST_LIMIT_MAX]) {
      expect(await listed(storage, { offset, limit: 10 })).toEqual({ ids: [], totalCount: 23 });
    }
  },

  'pages of a filtered list leave out what does not match': async (storage) => {
    await givenTwentyThree(storage);

    const filtered = { sortBy: 'subjectReference', type: 'kyb', limit: 3 } as const;

    expect((await listed(storage, { ...filtered, offset: 0 })).ids).toEqual([3, 6, 9].map(verificationId));
    expect((await listed(storage, { ...filtered, offset: 3 })).ids).toEqual([12, 15, 18].map(verificationId));
    expect((await listed(storage, { ...filtered, offset: 6 })).ids).toEqual([verificationId(21)]);
  },
});

/** Pending all, every third one KYB, requested at three moments only: much the same in every field but the reference. */
async function givenTwentyThree(storage: Storage): Promise<void> {
  await givenClient(storage);
  for (const n of range(1, 23)) {
    const subjectReference = `subject_${String(n).padStart(2, '0')}`;
    const type = n % 3 === 0 ? 'kyb' : 'kyc';
    await givenVerification(storage, n, { subjectReference, type, requestedAt: minute(n % 3) });
  }
}
