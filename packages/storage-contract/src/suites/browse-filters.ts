import { STATUSES, type Storage } from '@countersign/domain';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { browsed, positionAt } from '../records/browsing.ts';
import { givenClient } from '../records/clients.ts';
import { verificationId } from '../records/ids.ts';
import { minute } from '../records/moments.ts';
import { PREFIXES, REFERENCES } from '../records/prefixes.ts';
import { found } from '../records/queue.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** What a client's staff looks for: each filter alone, all together, and always exact. */
export const browseFiltersSuite: Suite = suiteOf('browse filters', {
  'by status': async (storage) => {
    await givenClient(storage);
    for (const [index, status] of [...STATUSES, ...STATUSES].entries()) {
      await givenVerification(storage, index + 1, { status });
    }

    for (const [index, status] of STATUSES.entries()) {
      expect(await browsed(storage, { status }), status).toEqual(found(index + 6, index + 1));
    }
  },

  'by type': async (storage) => {
    await givenTwelve(storage);

    expect(await browsed(storage, { type: 'kyc' })).toEqual(found(11, 9, 7, 5, 3, 1));
    expect(await browsed(storage, { type: 'kyb' })).toEqual(found(12, 10, 8, 6, 4, 2));
  },

  'by when they were requested: from a moment on, until before one': async (storage) => {
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

  'by what the reference begins with: the text itself, each character as it stands': async (storage) => {
    await givenClient(storage);
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

  'by all filters together, page by page': async (storage) => {
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

/** One a minute: every other one KYB with a reference that says so, the sixth and the ninth approved. */
async function givenTwelve(storage: Storage): Promise<void> {
  await givenClient(storage);
  for (const n of range(1, 12)) {
    await givenVerification(storage, n, {
      type: n % 2 === 0 ? 'kyb' : 'kyc',
      subjectReference: `${n % 2 === 0 ? 'even' : 'odd'}_${n}`,
      status: n === 6 || n === 9 ? 'approved' : 'pending',
    });
  }
}
