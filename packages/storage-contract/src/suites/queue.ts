import { type Severity, STATUSES } from '@countersign/domain';
import type { QueueQuery, Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClients, givenTestTwin } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { givenNote } from '../records/kept-warnings.ts';
import { aQueueQuery, asQueued, expectPagesOfOneMoment, found, queued, reviewer } from '../records/queries.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** The reviewers' queue: the longest wait first, across clients, page after page. */
export const queueSuite: Suite = suiteOf('queue', {
  'queue: is empty in an empty storage': async (storage) => {
    expect(await storage.verifications.queue(aQueueQuery())).toEqual({ records: [], totalCount: 0 });
  },

  'queue: the longest wait comes first, across clients': async (storage) => {
    await givenClients(storage, [1, 3]);
    for (const [n, submitted] of [50, 20, 40, 10, 30].entries()) {
      const record = { clientId: clientId(1 + (n % 3)), submittedAt: minute(submitted), requestedAt: minute(n) };
      await givenVerification(storage, n + 1, { status: 'submitted', ...record });
    }

    expect(await queued(storage)).toEqual(found(4, 2, 5, 3, 1));
  },

  'queue: orders by the millisecond, then by id': async (storage) => {
    await givenClients(storage, [1, 2]);
    for (const [n, milliseconds] of [
      [3, 5],
      [1, 5],
      [5, 4],
      [2, 6],
      [4, 5],
    ] as const) {
      const record = { clientId: clientId(1 + (n % 2)), submittedAt: minute(9, milliseconds) };
      await givenVerification(storage, n, { status: 'submitted', ...record });
    }

    expect(await queued(storage)).toEqual(found(5, 1, 3, 4, 2));
  },

  'queue: verifications never submitted come last, by id': async (storage) => {
    await givenClients(storage, [1, 1]);
    for (const [n, submittedAt] of [null, minute(9), null, minute(8), null].entries()) {
      await givenVerification(storage, 5 - n, { status: 'rejected', submittedAt });
    }

    expect(await queued(storage, { status: 'rejected' })).toEqual(found(2, 4, 1, 3, 5));
  },

  'queue: a verification submitted again waits from then on': async (storage) => {
    await givenClients(storage, [1, 1]);
    const first = await givenVerification(storage, 1, { status: 'action_needed', submittedAt: minute(1) });
    await givenVerification(storage, 2, { status: 'submitted', submittedAt: minute(2) });
    expect(await queued(storage)).toEqual(found(2));

    await commit(storage, moved(first, 'submitted', { submittedAt: minute(3) }));

    expect(await queued(storage)).toEqual(found(2, 1));
  },

  'page: records are whole; answers and reviewData may be empty': async (storage) => {
    await givenClients(storage, [1, 2]);
    const record = await givenVerification(storage, 1, {
      status: 'submitted',
      clientId: clientId(2),
      type: 'kyb',
      metadata: { tier: 'gold' },
    });

    expect((await storage.verifications.queue(aQueueQuery())).records).toEqual([asQueued(record)]);
  },

  'page: pages have no gaps and no repeats, and the total is exact on each': async (storage) => {
    await givenTwentyThree(storage);
    const whole = await queued(storage);
    expect(whole.totalCount).toBe(23);

    const { ids: paged } = await pagedThrough(storage, {}, 5);

    expect(paged).toEqual(whole.ids);
    expect(new Set(paged).size).toBe(23);
    expect((await pagedThrough(storage, {}, 1)).ids).toEqual(whole.ids);
    const kyb = await pagedThrough(storage, { type: 'kyb' }, 2);
    expect(kyb).toEqual({ ids: (await queued(storage, { type: 'kyb' })).ids, totals: [7, 7, 7, 7] });
  },

  'page: verifications never submitted are paged through as well': async (storage) => {
    await givenClients(storage, [1, 1]);
    for (const [n, submittedAt] of [null, minute(9), null, minute(8), null, minute(9)].entries()) {
      await givenVerification(storage, 6 - n, { status: 'rejected', submittedAt });
    }
    for (const n of [7, 8, 9]) await givenVerification(storage, n);

    const rejected = await pagedThrough(storage, { status: 'rejected' }, 1);
    expect(rejected.ids).toEqual([3, 1, 5, 2, 4, 6].map(verificationId));
    expect((await pagedThrough(storage, { status: 'rejected' }, 2)).ids).toEqual(rejected.ids);
    expect((await pagedThrough(storage, { status: 'pending' }, 1)).ids).toEqual([7, 8, 9].map(verificationId));
  },

  'page: decisions between two pages neither repeat nor hide a verification': async (storage) => {
    await givenTwentyThree(storage);
    const { ids } = await queued(storage);
    let left = 23;

    const seen = await pagedThrough(storage, {}, 5, async (page) => {
      for (const id of page) {
        const record = await storage.verifications.findForAnyClient(id);
        if (record !== null) await commit(storage, moved(record, 'approved'));
      }
      left -= page.length;
    });

    expect(seen.ids).toEqual(ids);
    expect(left).toBe(0);
    expect(await queued(storage)).toEqual(found());
  },

  'page: begins after any position, with the total of all matches': async (storage) => {
    await givenTwentyThree(storage);
    const { ids } = await queued(storage);

    const early = { submittedAt: minute(-1), id: verificationId(99) };
    expect(await queued(storage, { after: early })).toEqual({ ids, totalCount: 23 });
    const late = { submittedAt: minute(2), id: verificationId(99) };
    expect(await queued(storage, { after: late })).toEqual({ ids: [], totalCount: 23 });
    const unsubmitted = { submittedAt: null, id: verificationId(1) };
    expect(await queued(storage, { after: unsubmitted })).toEqual({ ids: [], totalCount: 23 });
  },

  'page: counts at least one more than it is asked to': async (storage) => {
    await givenTwentyThree(storage);

    for (const countUpTo of [0, 22, 23, 24]) {
      const { ids, totalCount } = await queued(storage, { countUpTo, limit: 2 });
      expectCount(ids, 2);
      if (countUpTo < 23) expect(totalCount).toBeGreaterThan(countUpTo);
      else expect(totalCount).toBe(23);
    }
  },

  'page: records and total are of one moment, during submissions': async (storage) => {
    await givenClients(storage, [1, 1]);
    for (const n of range(1, 20)) await givenVerification(storage, n);
    const submit = async (first: number) => {
      for (const n of range(first, first + 9)) await commit(storage, moved(aRecord(n), 'submitted'));
    };

    await expectPagesOfOneMoment([submit(1), submit(11)], () => storage.verifications.queue(aQueueQuery()));

    expect(await queued(storage)).toEqual(found(...range(1, 20)));
  },
});

/** Reads page after page to the end. Calls `meanwhile` after each page. */
async function pagedThrough(
  { verifications }: Storage,
  given: Partial<QueueQuery>,
  limit: number,
  meanwhile: (ids: readonly string[]) => Promise<void> = async () => undefined,
): Promise<{ ids: string[]; totals: number[] }> {
  const ids: string[] = [];
  const totals: number[] = [];
  let after: QueueQuery['after'];
  for (let page = 0; page < 50; page += 1) {
    const { records, totalCount } = await verifications.queue(aQueueQuery({ ...given, after, limit }));
    ids.push(...records.map(({ id }) => id));
    totals.push(totalCount);
    await meanwhile(records.map(({ id }) => id));
    const last = records.at(-1);
    if (last === undefined || records.length < limit) break;
    after = { submittedAt: last.submittedAt, id: last.id };
  }
  return { ids, totals };
}

/** 23 verifications of three clients, every third KYB, submitted at three moments. */
async function givenTwentyThree(storage: Storage): Promise<void> {
  await givenClients(storage, [1, 3]);
  for (const n of range(1, 23)) {
    const type = n % 3 === 0 ? 'kyb' : 'kyc';
    const own = { type, clientId: clientId(1 + (n % 3)), submittedAt: minute((n * 7) % 3) } as const;
    await givenVerification(storage, n, { status: 'submitted', ...own });
  }
}

/** Filters of the queue: each alone, all together, with exact totals. */
export const queueFiltersSuite: Suite = suiteOf('queue filters', {
  'filter: the queue has one status only': async (storage) => {
    await givenClients(storage, [1, 1]);
    for (const [index, status] of [...STATUSES, ...STATUSES].entries()) {
      await givenVerification(storage, index + 1, { status });
    }

    for (const [index, status] of STATUSES.entries()) {
      expect(await queued(storage, { status }), status).toEqual(found(index + 1, index + 6));
    }
  },

  'filter: by type': async (storage) => {
    await givenTwelve(storage);

    expect(await queued(storage, { type: 'kyc' })).toEqual(found(1, 3, 5, 7, 9, 11));
    expect(await queued(storage, { type: 'kyb' })).toEqual(found(2, 4, 6, 8, 10, 12));
  },

  'filter: by client': async (storage) => {
    await givenTwelve(storage);

    expect(await queued(storage)).toEqual(found(...range(1, 12)));
    expect(await queued(storage, { clientId: clientId(1) })).toEqual(found(1, 2, 3, 4, 5, 6));
    expect(await queued(storage, { clientId: clientId(2) })).toEqual(found(7, 8, 9, 10, 11, 12));
    for (const unknown of [clientId(3), verificationId(1), '', 'not-an-id', '\u0000']) {
      expect(await queued(storage, { clientId: unknown })).toEqual(found());
    }
  },

  'filter: by claimant': async (storage) => {
    await givenTwelve(storage);

    expect(await queued(storage, { claimedBy: reviewer(1) })).toEqual(found(2, 5, 8, 11));
    expect(await queued(storage, { claimedBy: reviewer(2) })).toEqual(found(3, 6, 9, 12));
    for (const unknown of [reviewer(3), 'reviewer', 'REVIEWER-1', '', '\u0000']) {
      expect(await queued(storage, { claimedBy: unknown })).toEqual(found());
    }
  },

  'filter: unclaimed only': async (storage) => {
    await givenTwelve(storage);

    expect(await queued(storage, { claimedBy: null })).toEqual(found(1, 4, 7, 10));
  },

  'filter: live only leaves out the verifications of test twins, and counts without them': async (storage) => {
    await givenTwelve(storage);
    const twin = await givenTestTwin(storage, 3);
    for (const n of range(13, 18)) {
      const status = n < 16 ? 'submitted' : 'pending';
      await givenVerification(storage, n, { clientId: twin.id, status, type: n % 2 === 0 ? 'kyb' : 'kyc' });
    }
    await givenVerification(storage, 19, { status: 'pending' });

    expect(await queued(storage)).toEqual(found(...range(1, 15)));
    expect(await queued(storage, { liveOnly: true })).toEqual(found(...range(1, 12)));
    const { ids: paged, totals } = await pagedThrough(storage, { liveOnly: true }, 5);
    expect([paged, totals]).toEqual([range(1, 12).map(verificationId), [12, 12, 12]]);
    expect(await queued(storage, { liveOnly: true, type: 'kyb' })).toEqual(found(2, 4, 6, 8, 10, 12));
    expect(await queued(storage, { liveOnly: true, claimedBy: null })).toEqual(found(1, 4, 7, 10));
    expect(await queued(storage, { liveOnly: true, claimedBy: reviewer(1) })).toEqual(found(2, 5, 8, 11));
    expect(await queued(storage, { liveOnly: true, clientId: twin.id })).toEqual(found());
    expect(await queued(storage, { liveOnly: true, status: 'pending' })).toEqual(found(19));
    expect(await queued(storage, { liveOnly: true, status: 'pending', type: 'kyc' })).toEqual(found(19));
  },

  'filter: warned only matches by what is kept, and counts those': async (storage) => {
    await givenTwelve(storage);
    const decided = await givenVerification(storage, 13, { status: 'rejected', submittedAt: minute(13) });
    const pending = await givenVerification(storage, 14);
    const note = async (n: number, severity: Severity | null, owner = n > 6 ? 2 : 1, version = 2) =>
      givenNote(storage, n, { clientId: clientId(owner), expectedVersion: version, severity });
    for (const n of [2, 5, 7, 10]) await note(n, n % 2 === 0 ? 'warning' : 'critical');
    await note(3, 'info');
    await note(4, null);
    await note(13, 'warning', 1, decided.version);
    await note(14, 'critical', 1, pending.version);

    expect(await queued(storage, { isWarned: true })).toEqual(found(2, 5, 7, 10));
    expect(await queued(storage, { isWarned: false, status: 'pending' })).toEqual(found(14));
    const { ids: paged, totals } = await pagedThrough(storage, { isWarned: true }, 3);
    expect([paged, totals]).toEqual([[2, 5, 7, 10].map(verificationId), [4, 4]]);
    expect(await queued(storage, { isWarned: true, type: 'kyb' })).toEqual(found(2, 10));
    expect(await queued(storage, { isWarned: true, clientId: clientId(1) })).toEqual(found(2, 5));
    expect(await queued(storage, { isWarned: true, claimedBy: reviewer(1) })).toEqual(found(2, 5));
    expect(await queued(storage, { isWarned: true, claimedBy: null, liveOnly: true })).toEqual(found(7, 10));
    expect(await queued(storage, { isWarned: true, status: 'rejected' })).toEqual(found(13));
    expect(await queued(storage, { isWarned: true, status: 'pending' })).toEqual(found());
    await note(7, 'info');
    expect(await queued(storage, { isWarned: true })).toEqual(found(2, 5, 10));
  },

  'filter: resubmitted only matches what was committed so, while it is submitted, and counts those': async (
    storage,
  ) => {
    await givenTwelve(storage);
    const resubmit = async (n: number, isResubmitted: boolean) => {
      const record = await storage.verifications.findForAnyClient(verificationId(n));
      if (record === null) throw new Error(`set-up of the case: no verification ${n}`);
      const { submittedAt, claimedBy, claimedAt } = record;
      const again = moved(record, 'submitted', { submittedAt, claimedBy, claimedAt, isResubmitted });
      expect(await commit(storage, again)).toEqual({ outcome: 'committed' });
      return again;
    };
    for (const n of [1, 5, 7]) await resubmit(n, true);
    const tenth = await resubmit(10, true);
    await givenVerification(storage, 13, { status: 'action_needed', submittedAt: minute(13) });
    await givenNote(storage, 5, { expectedVersion: 3 });

    expect(await queued(storage, { isResubmitted: true })).toEqual(found(1, 5, 7, 10));
    expect(await queued(storage, { isResubmitted: false })).toEqual(found(...range(1, 12)));
    const { ids: paged, totals } = await pagedThrough(storage, { isResubmitted: true }, 3);
    expect([paged, totals]).toEqual([[1, 5, 7, 10].map(verificationId), [4, 4]]);
    expect(await queued(storage, { isResubmitted: true, type: 'kyb' })).toEqual(found(10));
    expect(await queued(storage, { isResubmitted: true, clientId: clientId(1) })).toEqual(found(1, 5));
    expect(await queued(storage, { isResubmitted: true, claimedBy: reviewer(1) })).toEqual(found(5));
    expect(await queued(storage, { isResubmitted: true, claimedBy: null, liveOnly: true })).toEqual(
      found(1, 7, 10),
    );
    expect(await queued(storage, { isResubmitted: true, isWarned: true })).toEqual(found(5));
    for (const status of STATUSES.filter((each) => each !== 'submitted'))
      expect(await queued(storage, { isResubmitted: true, status }), status).toEqual(found());

    await resubmit(7, false);
    await commit(storage, moved(tenth, 'approved', { isResubmitted: false }));
    expect(await queued(storage, { isResubmitted: true })).toEqual(found(1, 5));
    expect(await queued(storage, { isResubmitted: true, status: 'approved' })).toEqual(found());
  },

  'filter: by all filters together, page by page': async (storage) => {
    await givenTwelve(storage);
    const kybOfSecond = { type: 'kyb', clientId: clientId(2) } as const;

    expect(await queued(storage, { ...kybOfSecond, claimedBy: reviewer(1) })).toEqual(found(8));
    expect(await queued(storage, { ...kybOfSecond, claimedBy: null })).toEqual(found(10));
    const after = { submittedAt: minute(8), id: verificationId(8) };
    expect(await queued(storage, { ...kybOfSecond, after, limit: 1 })).toEqual({
      ids: [verificationId(10)],
      totalCount: 3,
    });
    expect(await queued(storage, { ...kybOfSecond, claimedBy: reviewer(1), status: 'approved' })).toEqual(found());
  },
});

/** Twelve submitted verifications: every other KYB, six of each client; a third unclaimed, a third claimed by each reviewer. */
async function givenTwelve(storage: Storage): Promise<void> {
  await givenClients(storage, [1, 2]);
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
