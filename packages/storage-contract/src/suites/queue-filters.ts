import { STATUSES, type Storage } from '@countersign/domain';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClients } from '../records/clients.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { minute } from '../records/moments.ts';
import { found, queued, reviewer } from '../records/queue.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** What reviewers choose from the queue: each filter alone, all together, and always exact. */
export const queueFiltersSuite: Suite = suiteOf('queue filters', {
  'a queue is of one status': async (storage) => {
    await givenClients(storage, 1);
    for (const [index, status] of [...STATUSES, ...STATUSES].entries()) {
      await givenVerification(storage, index + 1, { status });
    }

    for (const [index, status] of STATUSES.entries()) {
      expect(await queued(storage, { status }), status).toEqual(found(index + 1, index + 6));
    }
  },

  'by type': async (storage) => {
    await givenTwelve(storage);

    expect(await queued(storage, { type: 'kyc' })).toEqual(found(1, 3, 5, 7, 9, 11));
    expect(await queued(storage, { type: 'kyb' })).toEqual(found(2, 4, 6, 8, 10, 12));
  },

  'by client': async (storage) => {
    await givenTwelve(storage);

    expect(await queued(storage)).toEqual(found(...range(1, 12)));
    expect(await queued(storage, { clientId: clientId(1) })).toEqual(found(1, 2, 3, 4, 5, 6));
    expect(await queued(storage, { clientId: clientId(2) })).toEqual(found(7, 8, 9, 10, 11, 12));
    for (const nobody of [clientId(3), verificationId(1), '', 'not-an-id', '\u0000']) {
      expect(await queued(storage, { clientId: nobody })).toEqual(found());
    }
  },

  'by who claimed them': async (storage) => {
    await givenTwelve(storage);

    expect(await queued(storage, { claimedBy: reviewer(1) })).toEqual(found(2, 5, 8, 11));
    expect(await queued(storage, { claimedBy: reviewer(2) })).toEqual(found(3, 6, 9, 12));
    for (const nobody of [reviewer(3), 'reviewer', 'REVIEWER-1', '', '\u0000']) {
      expect(await queued(storage, { claimedBy: nobody })).toEqual(found());
    }
  },

  'by nobody’s claim': async (storage) => {
    await givenTwelve(storage);

    expect(await queued(storage, { claimedBy: null })).toEqual(found(1, 4, 7, 10));
  },

  'by all filters together, page by page': async (storage) => {
    await givenTwelve(storage);
    const kybOfSecond = { type: 'kyb', clientId: clientId(2) } as const;

    expect(await queued(storage, { ...kybOfSecond, claimedBy: reviewer(1) })).toEqual(found(8));
    expect(await queued(storage, { ...kybOfSecond, claimedBy: null })).toEqual(found(10));
    expect(await queued(storage, { ...kybOfSecond, offset: 1, limit: 1 })).toEqual({
      ids: [verificationId(10)],
      totalCount: 3,
    });
    expect(await queued(storage, { ...kybOfSecond, claimedBy: reviewer(1), status: 'approved' })).toEqual(found());
  },
});

/** Submitted one after the other: every other one KYB, six of each client; by turns nobody's, the first's, the second's. */
async function givenTwelve(storage: Storage): Promise<void> {
  await givenClients(storage, 2);
  for (const n of range(1, 12)) {
    const claimant = (n - 1) % 3;
    await givenVerification(storage, n, {
      status: 'submitted',
      type: n % 2 === 0 ? 'kyb' : 'kyc',
      clientId: clientId(n <= 6 ? 1 : 2),
      submittedAt: minute(n),
      ...(claimant > 0 && { claimedBy: reviewer(claimant), claimedAt: minute(100 - n) }),
    });
  }
}
