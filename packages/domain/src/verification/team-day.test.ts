import { expect, it } from 'vitest';
import type { ReviewLoad, ReviewLoadQuery } from './review-load.ts';
import { createReadTeamDay } from './team-day.ts';

const LOAD: ReviewLoad = {
  waiting: 3,
  waitingSince: new Date('2026-03-01T10:00:00.000Z'),
  overdue: 0,
  overdueSince: null,
  decisions: [
    { reviewerId: 'lena', approved: 2, rejected: 1 },
    { reviewerId: 'max', approved: 0, rejected: 4 },
  ],
  medianMs: 60_000,
};

function given({ fails = 0 } = {}) {
  const asked: ReviewLoadQuery[] = [];
  let now = new Date('2026-03-02T23:59:50.000Z');
  let failures = fails;
  const { day, countsAfter } = createReadTeamDay({
    clock: { now: () => now },
    verifications: {
      async reviewLoad(query) {
        asked.push(query);
        failures -= 1;
        if (failures >= 0) throw new Error('down');
        return LOAD;
      },
    },
  });
  return {
    asked,
    day,
    countsAfter,
    pass: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
  };
}

it('counts the decisions since midnight in UTC', async () => {
  const { asked, day } = given();
  expect(await day()).toEqual({ ...LOAD, decided: 7 });
  expect(asked).toEqual([
    { now: new Date('2026-03-02T23:59:50.000Z'), decidedFrom: new Date('2026-03-02T00:00:00.000Z') },
  ]);
});

it('reads again after 10 seconds, and once for calls at the same time', async () => {
  const { asked, day, pass } = given();
  await Promise.all([day(), day()]);
  pass(9_999);
  await day();
  expect(asked).toHaveLength(1);
  pass(1);
  await day();
  expect(asked.at(-1)).toMatchObject({ decidedFrom: new Date('2026-03-03T00:00:00.000Z') });
  // A clock that was set back.
  pass(-60_000);
  await day();
  expect(asked).toHaveLength(3);
});

it('a reading that failed is not used again', async () => {
  const { day } = given({ fails: 1 });
  await expect(day()).rejects.toThrow('down');
  expect(await day()).toMatchObject({ decided: 7 });
});

it('reads again after a decision of this process, and not after one that was refused', async () => {
  const { asked, day, countsAfter } = given();
  await day();
  await expect(countsAfter(() => Promise.reject(new Error('refused')))()).rejects.toThrow('refused');
  await day();
  expect(asked).toHaveLength(1);
  expect(await countsAfter(async (id: string) => `${id} decided`)('case-1')).toBe('case-1 decided');
  await day();
  expect(asked).toHaveLength(2);
});
