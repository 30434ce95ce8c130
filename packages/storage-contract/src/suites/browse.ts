import { STATUSES } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import {
  aBrowseQuery,
  asQueued,
  browsed,
  expectPagesOfOneMoment,
  found,
  pagesOf,
  positionAt,
  reviewer,
} from '../records/queries.ts';
import { aRecord, keyedBy } from '../records/records.ts';
import { PREFIXES, REFERENCES } from '../records/texts.ts';
import { createCharged, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** Browsing by a client's staff: newest first, each page starting where the last one ended. */
export const browseSuite: Suite = suiteGiven('browse', givenClient, {
  'browse: the newest comes first, to the millisecond, then the greatest id': async (storage) => {
    expect(await browsed(storage)).toEqual(found());
    for (const [n, milliseconds] of [
      [3, 5],
      [1, 5],
      [5, 4],
      [2, 6],
      [4, 5],
    ] as const) {
      await givenVerification(storage, n, { requestedAt: minute(9, milliseconds) });
    }
    await givenVerification(storage, 6, { requestedAt: minute(8, 999) });

    expect(await browsed(storage)).toEqual(found(2, 4, 3, 1, 5, 6));
  },

  'page: records are whole; answers and reviewData may be empty': async (storage) => {
    const rich = { type: 'kyb', metadata: { tier: 'gold' }, sandboxOutcome: 'approved' } as const;
    const claim = { claimedBy: reviewer(1), claimedAt: minute(9, 9) };
    const submitted = await givenVerification(storage, 2, {
      status: 'submitted',
      ...rich,
      ...keyedBy('key'),
      ...claim,
    });
    const approved = await givenVerification(storage, 1, { status: 'approved' });

    const { records } = await storage.verifications.browse(clientId(1), aBrowseQuery());

    expect(records).toEqual([asQueued(submitted), asQueued(approved)]);
  },

  'page: pages have no gaps and no repeats, and the total is the same on each': async (storage) => {
    await givenTwentyThree(storage);
    const whole = await browsed(storage);
    expect(whole.totalCount).toBe(23);
    expect((await browsed(storage, { withoutTotal: true })).ids).toEqual(whole.ids);

    for (const limit of [1, 5, 22, 23, 100]) {
      const { pages, totals } = await pagesOf(storage, limit);
      expect(pages.flat(), `pages of ${limit}`).toEqual(whole.ids);
      expect(new Set(totals)).toEqual(new Set([23]));
      expect(pages.map(({ length }) => length).every((length) => length <= limit)).toBe(true);
    }
  },

  'page: counts at least one more than it is asked to': async (storage) => {
    await givenTwentyThree(storage);

    for (const subjectReferencePrefix of [undefined, 'subject']) {
      for (const countUpTo of [0, 22, 23, 24]) {
        const { ids, totalCount } = await browsed(storage, { subjectReferencePrefix, countUpTo, limit: 2 });
        expectCount(ids, 2);
        if (countUpTo < 23) expect(totalCount).toBeGreaterThan(countUpTo);
        else expect(totalCount).toBe(23);
      }
    }
  },

  'page: may begin among verifications of one moment': async (storage) => {
    for (const n of range(1, 5)) await givenVerification(storage, n, { requestedAt: minute(9) });
    await givenVerification(storage, 6, { requestedAt: minute(8, 999) });
    await givenVerification(storage, 7, { requestedAt: minute(9, 1) });
    const after = positionAt(minute(9), 3);

    expect(await browsed(storage, { after })).toEqual({ ...found(2, 1, 6), totalCount: 7 });
    expect(await browsed(storage, { after, limit: 1 })).toEqual({ ...found(2), totalCount: 7 });
  },

  'page: may begin at a position without a verification or outside the filters': async (storage) => {
    await givenClient(storage, 2);
    await givenVerification(storage, 1, { type: 'kyb' });
    await givenVerification(storage, 2, { type: 'kyc' });
    await givenVerification(storage, 3, { type: 'kyb' });
    await givenVerification(storage, 4, { clientId: clientId(2) });

    expect((await browsed(storage, { after: positionAt(minute(2, 500), 99) })).ids).toEqual(found(2, 1).ids);
    expect((await browsed(storage, { after: positionAt(minute(99), 1) })).ids).toEqual(found(3, 2, 1).ids);
    expect((await browsed(storage, { after: positionAt(minute(4), 4) })).ids).toEqual(found(3, 2, 1).ids);
    expect(await browsed(storage, { type: 'kyb', after: positionAt(minute(2), 2) })).toEqual({
      ...found(1),
      totalCount: 2,
    });
    for (const after of [positionAt(minute(1), 1), positionAt(minute(0, 999), 99)]) {
      expect(await browsed(storage, { after }), 'past the last one').toEqual({ ids: [], totalCount: 3 });
    }
  },

  'page: verifications created meanwhile cause no repeat and no gap': async (storage) => {
    const there = range(11, 20);
    for (const n of there) await givenVerification(storage, n, { requestedAt: minute(n % 2) });
    const created = [31, 32, 1, 33].values();

    const { pages, totals } = await pagesOf(storage, 3, async () => {
      const { value: n } = created.next();
      // Newer than all others, or of a moment on the current page with a greater or smaller id.
      if (n !== undefined) await givenVerification(storage, n, { requestedAt: minute(n === 33 ? 9 : n % 2) });
    });

    const ids = pages.flat();
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => there.map(verificationId).includes(id))).toEqual(
      [19, 17, 15, 13, 11, 20, 18, 16, 14, 12].map(verificationId),
    );
    expect(totals.slice(0, 3)).toEqual([10, 11, 12]);
  },

  'browse: returns and counts one client’s verifications only': async (storage) => {
    await givenClient(storage, 2);
    await givenVerification(storage, 1, { subjectReference: 'shared' });
    await givenVerification(storage, 2, { clientId: clientId(2), subjectReference: 'shared' });
    await givenVerification(storage, 3, { clientId: clientId(2) });

    for (const given of [{}, { type: 'kyc' }, { status: 'pending' }, { subjectReferencePrefix: 's' }] as const) {
      expect(await browsed(storage, given)).toEqual(found(1));
    }
    expect(await browsed(storage, { after: positionAt(minute(3), 3) })).toEqual(found(1));
    expect(await storage.verifications.browse(clientId(3), aBrowseQuery())).toEqual({
      records: [],
      totalCount: 0,
    });
  },

  'page: records and total are of one moment, during creations': async (storage) => {
    const create = async (first: number) => {
      for (const n of range(first, first + 9)) await createCharged(storage, aRecord(n));
    };

    await expectPagesOfOneMoment([create(1), create(11)], () =>
      storage.verifications.browse(clientId(1), aBrowseQuery()),
    );

    expect(await browsed(storage)).toEqual(found(...range(1, 20).reverse()));
  },
});

/** 23 verifications, requested at three moments. */
async function givenTwentyThree(storage: Storage): Promise<void> {
  for (const n of range(1, 23)) await givenVerification(storage, n, { requestedAt: minute((n * 7) % 3) });
}

/** Filters of browsing: each alone, all together, with exact totals. */
export const browseFiltersSuite: Suite = suiteGiven('browse filters', givenClient, {
  'filter: by status': async (storage) => {
    for (const [index, status] of [...STATUSES, ...STATUSES].entries()) {
      await givenVerification(storage, index + 1, { status });
    }

    for (const [index, status] of STATUSES.entries()) {
      expect(await browsed(storage, { status }), status).toEqual(found(index + 6, index + 1));
    }
  },

  'filter: by type': async (storage) => {
    await givenTwelve(storage);

    expect(await browsed(storage, { type: 'kyc' })).toEqual(found(11, 9, 7, 5, 3, 1));
    expect(await browsed(storage, { type: 'kyb' })).toEqual(found(12, 10, 8, 6, 4, 2));
  },

  'filter: by request time, first moment included, last excluded': async (storage) => {
    await givenTwelve(storage);

    expect(await browsed(storage, { requestedFrom: minute(10) })).toEqual(found(12, 11, 10));
    expect(await browsed(storage, { requestedFrom: minute(9, 999) })).toEqual(found(12, 11, 10));
    expect(await browsed(storage, { requestedFrom: minute(10, 1) })).toEqual(found(12, 11));
    expect(await browsed(storage, { requestedUntil: minute(3) })).toEqual(found(2, 1));
    expect(await browsed(storage, { requestedUntil: minute(3, 1) })).toEqual(found(3, 2, 1));
    const both = { requestedFrom: minute(5), requestedUntil: minute(7) };
    expect(await browsed(storage, both)).toEqual(found(6, 5));
    expect(await browsed(storage, { requestedFrom: minute(5), requestedUntil: minute(5) })).toEqual(found());
    expect(await browsed(storage, { requestedFrom: minute(7), requestedUntil: minute(5) })).toEqual(found());
  },

  'filter: by prefix of the reference, character by character': async (storage) => {
    for (const [index, subjectReference] of REFERENCES.entries()) {
      await givenVerification(storage, index + 1, { subjectReference });
    }

    for (const subjectReferencePrefix of PREFIXES) {
      const wanted = REFERENCES.flatMap((text, index) =>
        text.startsWith(subjectReferencePrefix) ? [index + 1] : [],
      );
      expect(await browsed(storage, { subjectReferencePrefix }), subjectReferencePrefix).toEqual(
        found(...wanted.reverse()),
      );
    }
    expect((await browsed(storage, { subjectReferencePrefix: '' })).totalCount).toBe(REFERENCES.length);
    for (const subjectReferencePrefix of ['\u0000', 'user\u0000', 'user_1\u0000']) {
      expect(await browsed(storage, { subjectReferencePrefix })).toEqual(found());
    }
  },

  'filter: by all filters together, page by page': async (storage) => {
    await givenTwelve(storage);
    const given = {
      status: 'pending',
      type: 'kyb',
      subjectReferencePrefix: 'even_',
      requestedFrom: minute(3),
      requestedUntil: minute(11),
    } as const;

    expect(await browsed(storage, given)).toEqual(found(10, 8, 4));
    expect(await browsed(storage, { ...given, limit: 2 })).toEqual({ ...found(10, 8), totalCount: 3 });
    expect(await browsed(storage, { subjectReferencePrefix: 'odd_', limit: 2 })).toEqual({
      ...found(11, 9),
      totalCount: 6,
    });
    expect(await browsed(storage, { ...given, limit: 2, after: positionAt(minute(8), 8) })).toEqual({
      ids: [verificationId(4)],
      totalCount: 3,
    });
    for (const other of [
      { status: 'rejected' },
      { type: 'kyc' },
      { subjectReferencePrefix: 'odd_' },
      { requestedFrom: minute(12) },
      { requestedUntil: minute(3) },
    ] as const) {
      expect(await browsed(storage, { ...given, ...other })).toEqual(found());
    }
  },
});

/** Twelve verifications, one a minute: every other KYB with the prefix `even_`, numbers 6 and 9 approved. */
async function givenTwelve(storage: Storage): Promise<void> {
  for (const n of range(1, 12)) {
    await givenVerification(storage, n, {
      type: n % 2 === 0 ? 'kyb' : 'kyc',
      subjectReference: `${n % 2 === 0 ? 'even' : 'odd'}_${n}`,
      status: n === 6 || n === 9 ? 'approved' : 'pending',
    });
  }
}
