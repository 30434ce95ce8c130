import { STATUSES, type Storage } from '@countersign/domain';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { clientId } from '../records/ids.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** Counts of verifications requested on each day in UTC, as a chart shows them. */
export const countByDaySuite: Suite = suiteGiven('count by day', givenClient, {
  'countByDay: counts days in UTC, to the millisecond, in summer and winter': async (storage) => {
    await givenRequests(storage, [
      '2026-03-28T23:59:59.999Z',
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-29T23:59:59.999Z',
      '2026-03-30T00:00:00.000Z',
      '2026-12-31T23:59:59.999Z',
      '2027-01-01T00:00:00.000Z',
      '2028-02-29T12:00:00.000Z',
    ]);

    expect(await counted(storage, '2026-03-01', '2028-03-01')).toEqual([
      { day: '2026-03-28', count: 1 },
      { day: '2026-03-29', count: 3 },
      { day: '2026-03-30', count: 1 },
      { day: '2026-12-31', count: 1 },
      { day: '2027-01-01', count: 1 },
      { day: '2028-02-29', count: 1 },
    ]);
  },

  'countByDay: includes the first moment, excludes the last, and leaves out days without verifications': async (
    storage,
  ) => {
    await givenRequests(storage, [
      '2026-05-01T23:59:59.999Z',
      '2026-05-02T00:00:00.000Z',
      '2026-05-02T08:00:00.000Z',
      '2026-05-04T07:59:59.999Z',
      '2026-05-04T08:00:00.000Z',
    ]);

    expect(await counted(storage, '2026-05-02', '2026-05-04')).toEqual([{ day: '2026-05-02', count: 2 }]);
    expect(await counted(storage, '2026-05-02T00:00:00.001Z', '2026-05-04T08:00:00.000Z')).toEqual([
      { day: '2026-05-02', count: 1 },
      { day: '2026-05-04', count: 1 },
    ]);
    expect(await counted(storage, '2026-05-04T08:00:00.000Z', '2026-05-04T08:00:00.001Z')).toEqual([
      { day: '2026-05-04', count: 1 },
    ]);
    for (const [from, until] of [
      ['2026-05-03', '2026-05-04'],
      ['2026-05-04', '2026-05-04'],
      ['2026-05-04', '2026-05-02'],
    ] as const) {
      expect(await counted(storage, from, until)).toEqual([]);
    }
  },

  'countByDay: counts verifications in every state, of one client only': async (storage) => {
    await givenClient(storage, 2);
    const requestedAt = new Date('2026-05-02T08:00:00.000Z');
    for (const n of range(1, 12)) {
      await givenVerification(storage, n, { requestedAt, status: STATUSES[n % STATUSES.length] ?? 'pending' });
    }
    await givenVerification(storage, 20, { requestedAt, clientId: clientId(2) });
    const [from, until] = ['2026-05-01', '2026-05-31'] as const;

    expect(await counted(storage, from, until)).toEqual([{ day: '2026-05-02', count: 12 }]);
    expect(await counted(storage, from, until, 2)).toEqual([{ day: '2026-05-02', count: 1 }]);
    expect(await counted(storage, from, until, 3)).toEqual([]);
  },
});

/** One verification of the first client for each moment. */
async function givenRequests(storage: Storage, moments: readonly string[]): Promise<void> {
  for (const [index, moment] of moments.entries()) {
    await givenVerification(storage, index + 1, { requestedAt: new Date(moment) });
  }
}

/** Counts of the `n`th client, earliest day first: the storage may return them in any order. */
async function counted(
  { verifications }: Storage,
  from: string,
  until: string,
  n = 1,
): Promise<{ day: string; count: number }[]> {
  const days = await verifications.countByDay(clientId(n), new Date(from), new Date(until));
  return [...days].sort((a, b) => (a.day < b.day ? -1 : 1));
}
