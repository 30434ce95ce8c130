import { expect, it } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import { inState } from '../../test-support/verifications.ts';
import type { ReviewLoad, ReviewLoadQuery } from './review-load.ts';
import type { Status } from './status.ts';
import { createReadTeamDay, type TeamDay } from './team-day.ts';

const MAX = { reviewerId: 'max', approved: 0, rejected: 4 };

const LOAD: ReviewLoad = {
  waiting: 3,
  waitingSince: new Date('2026-03-01T10:00:00.000Z'),
  overdue: 0,
  overdueSince: null,
  decisions: [{ reviewerId: 'lena', approved: 2, rejected: 1 }, MAX],
  medianMs: 60_000,
};

/** A decision of Lena, which leads to this status. */
const decision = (status: Status) => async (_context: { readonly reviewerId: string }) => inState(status);
const LENA = { reviewerId: 'lena' };

/** @param options `meanwhile` runs while the client of a decision is read */
function given({
  fails = 0,
  testOf = null,
  meanwhile = async () => undefined,
}: {
  readonly fails?: number;
  readonly testOf?: string | null;
  readonly meanwhile?: () => Promise<unknown>;
} = {}) {
  const client = aClient({ testOf });
  const asked: ReviewLoadQuery[] = [];
  let clientsRead = 0;
  let now = new Date('2026-03-02T23:59:50.000Z');
  let failures = fails;
  const { day, countsAfter } = createReadTeamDay({
    clock: { now: () => now },
    clients: {
      async find() {
        clientsRead += 1;
        await meanwhile();
        return { client, subscription: null };
      },
    },
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
    clientsRead: () => clientsRead,
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

it.each<[Status, Partial<TeamDay>]>([
  ['approved', { waiting: 2, decided: 8, decisions: [MAX, { reviewerId: 'lena', approved: 3, rejected: 1 }] }],
  ['rejected', { waiting: 2, decided: 8, decisions: [MAX, { reviewerId: 'lena', approved: 2, rejected: 2 }] }],
  ['submitted', {}],
])('a decision of this process is counted without another reading: %s', async (status, change) => {
  const { asked, day, countsAfter } = given();
  const before = await day();
  expect(await countsAfter(decision(status))(LENA)).toMatchObject({ status });
  expect(await day()).toEqual({ ...before, ...change });
  expect(asked).toHaveLength(1);
});

it('the day counts the first decision of a reviewer, and decisions at the same time', async () => {
  const { asked, day, countsAfter } = given();
  await day();
  const decide = countsAfter(decision('approved'));
  await Promise.all([decide({ reviewerId: 'nora' }), decide({ reviewerId: 'nora' })]);
  expect(await day()).toMatchObject({
    waiting: 1,
    decisions: [...LOAD.decisions, { reviewerId: 'nora', approved: 2, rejected: 0 }],
  });
  expect(asked).toHaveLength(1);
});

it('the day does not count decisions in test mode and refused decisions', async () => {
  const { asked, day, countsAfter } = given({ testOf: 'live' });
  const before = await day();
  await countsAfter(decision('approved'))(LENA);
  await expect(countsAfter(() => Promise.reject(new Error('refused')))(LENA)).rejects.toThrow('refused');
  expect(await day()).toEqual(before);
  expect(asked).toHaveLength(1);
});

it('the day is read again if a decision was made during a reading', async () => {
  const { asked, day, countsAfter } = given();
  const reading = day();
  await countsAfter(decision('approved'))(LENA);
  await reading;
  await day();
  expect(asked).toHaveLength(2);
});

it('a reading that failed late leaves the one after it', async () => {
  const { asked, day, pass } = given({ fails: 1 });
  const first = day();
  pass(10_000);
  const second = day();
  await expect(first).rejects.toThrow('down');
  expect(await day()).toBe(await second);
  expect(asked).toHaveLength(2);
});

it('the day is read again if the client of a decision cannot be read', async () => {
  const { asked, day, countsAfter } = given({ meanwhile: () => Promise.reject(new Error('down')) });
  await day();
  expect(await countsAfter(decision('approved'))(LENA)).toMatchObject({ status: 'approved' });
  await day();
  expect(asked).toHaveLength(2);
});

it('the day is read again if a reading began while the client of a decision was read', async () => {
  const { asked, day, countsAfter, pass } = given({
    meanwhile: async () => {
      pass(10_000);
      await day();
    },
  });
  await day();
  await countsAfter(decision('approved'))(LENA);
  await day();
  expect(asked).toHaveLength(3);
});

it('the day is read again, without reading the client, if a reading began during a decision', async () => {
  const { asked, clientsRead, day, countsAfter, pass } = given();
  await day();
  await countsAfter(async () => {
    pass(10_000);
    await day();
    return inState('approved');
  })(LENA);
  await day();
  expect(asked).toHaveLength(3);
  expect(clientsRead()).toBe(0);
});
