import type {
  ReviewActivity,
  ReviewActivityQuery,
  Storage,
  VerificationRecord,
} from '@countersign/domain/storage';
import { expect } from 'vitest';
import { givenClients } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId } from '../records/ids.ts';
import { moved } from '../records/records.ts';
import { commit, givenSubmitted, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

const NOTHING: ReviewActivity = {
  days: [],
  medianMs: null,
  medianBeforeMs: null,
  waiting: 0,
  waitingSince: null,
};

const NO_FIGURES = { submitted: 0, queued: 0, approved: 0, rejected: 0, medianMs: null };

const dayNumber = (day: string): number => Date.parse(day) / (24 * 3_600_000);

/** The first three days of May, compared with the last two of April. */
const MAY = {
  days: { from: dayNumber('2026-05-01'), until: dayNumber('2026-05-04') },
  comparedFrom: dayNumber('2026-04-29'),
} as const;

/** What subjects submitted and reviewers decided, as an overview shows it. */
export const reviewActivitySuite: Suite = suiteOf('review activity', {
  'review activity: is nothing without verifications, of an unknown client and of none that was submitted': async (
    storage,
  ) => {
    await givenClients(storage, [1, 2]);
    await givenVerification(storage, 1, { requestedAt: new Date('2026-05-01T08:00:00.000Z') });
    expect(await activityOf(storage)).toEqual(NOTHING);
    expect(await activityOf(storage, { clientId: clientId(7) })).toEqual(NOTHING);
    expect(await activityOf(storage, { clientId: 'no id\u0000' })).toEqual(NOTHING);
  },

  'review activity: days are in UTC, to the millisecond, and have submissions and decisions apart': async (
    storage,
  ) => {
    await givenClients(storage, [1, 2]);
    await givenSubmitted(storage, 1, '2026-04-30T23:59:59.999Z');
    await givenSubmitted(storage, 2, '2026-05-01T00:00:00.000Z');
    await givenSubmitted(storage, 3, '2026-05-01T23:59:59.999Z', { type: 'kyb' });
    await givenSubmitted(storage, 4, '2026-05-04T00:00:00.000Z');
    await givenDecided(storage, 5, '2026-04-30T10:00:00.000Z', '2026-05-01T00:00:00.000Z', 'approved');
    await givenDecided(storage, 6, '2026-05-03T10:00:00.000Z', '2026-05-03T23:59:59.999Z', 'rejected');
    await givenDecided(storage, 7, '2026-05-03T10:00:00.000Z', '2026-05-04T00:00:00.000Z', 'approved');
    await givenDecided(storage, 8, '2026-04-30T10:00:00.000Z', '2026-04-30T23:59:59.999Z', 'approved', {
      type: 'kyb',
    });
    await givenSubmitted(storage, 9, '2026-05-02T10:00:00.000Z', { clientId: clientId(2) });
    await givenDecided(storage, 10, '2026-05-02T10:00:00.000Z', '2026-05-02T11:00:00.000Z', 'approved', {
      clientId: clientId(2),
    });

    expect((await activityOf(storage)).days).toEqual([
      { day: dayNumber('2026-05-01'), submitted: 2, queued: 2, approved: 1, rejected: 0, medianMs: 50_400_000 },
      { day: dayNumber('2026-05-03'), submitted: 2, queued: 2, approved: 0, rejected: 1, medianMs: 50_399_999 },
    ]);
    const none = { days: { from: MAY.days.from, until: MAY.days.from }, comparedFrom: MAY.days.from };
    expect((await activityOf(storage, none)).days).toEqual([]);
  },

  'review activity: the median is exact to the millisecond, of an even number the lower of the two': async (
    storage,
  ) => {
    await givenClients(storage, [1, 2]);
    const took = (n: number, day: string, ms: number, status: 'approved' | 'rejected' = 'approved') =>
      givenDecided(storage, n, `${day}T10:00:00.000Z`, after(`${day}T10:00:00.000Z`, ms), status);
    await took(1, '2026-05-01', 7_000_003);
    expect(await activityOf(storage)).toMatchObject({ medianMs: 7_000_003, medianBeforeMs: null });
    await took(2, '2026-05-02', 2, 'rejected');
    expect(await activityOf(storage)).toMatchObject({ medianMs: 2 });
    await took(3, '2026-05-03', 1_001);
    expect(await activityOf(storage)).toMatchObject({ medianMs: 1_001 });
    await took(4, '2026-05-03', 1_002);
    expect(await activityOf(storage)).toMatchObject({ medianMs: 1_001, medianBeforeMs: null });

    // Before the compared range, its first and its last moment, and after the days.
    await givenDecided(storage, 5, '2026-04-28T23:59:59.998Z', '2026-04-28T23:59:59.999Z', 'approved');
    await givenDecided(storage, 6, '2026-04-28T23:59:59.980Z', '2026-04-29T00:00:00.000Z', 'approved');
    await givenDecided(storage, 7, '2026-04-30T23:59:59.969Z', '2026-04-30T23:59:59.999Z', 'rejected');
    await givenDecided(storage, 8, '2026-05-03T23:00:00.000Z', '2026-05-04T00:00:00.000Z', 'approved');
    await givenDecided(storage, 9, '2026-04-30T10:00:00.000Z', '2026-04-30T10:00:00.005Z', 'approved');
    expect(await activityOf(storage)).toMatchObject({ medianMs: 1_001, medianBeforeMs: 20 });
    const without = { ...MAY, comparedFrom: MAY.days.from };
    expect(await activityOf(storage, without)).toMatchObject({ medianMs: 1_001, medianBeforeMs: null });
  },

  'review activity: each day has the median of its own decisions, exact to the millisecond': async (storage) => {
    await givenClients(storage, [1, 2]);
    const times = [
      ['2026-05-01', [3_001]],
      ['2026-05-02', [9_000, 2, 4_003, 8_000]],
    ] as const;
    let n = 0;
    for (const [day, all] of times) {
      for (const ms of all) {
        n += 1;
        const submittedAt = `${day}T10:00:00.000Z`;
        await givenDecided(storage, n, submittedAt, after(submittedAt, ms), n % 2 === 0 ? 'approved' : 'rejected');
      }
    }
    await givenDecided(storage, 9, '2026-05-02T23:59:59.999Z', '2026-05-03T00:00:00.000Z', 'approved');
    const { days } = await activityOf(storage);
    expect(days.map(({ medianMs }) => medianMs)).toEqual([3_001, 4_003, 1]);
  },

  'review activity: a decision before its submission took no time, after the clock was set back': async (
    storage,
  ) => {
    await givenClients(storage, [1, 2]);
    await givenDecided(storage, 1, '2026-05-02T10:00:00.000Z', '2026-05-02T09:00:00.000Z', 'approved');
    expect(await activityOf(storage)).toMatchObject({ medianMs: 0 });
  },

  'review activity: a repeated submission counts once, on its last day, and the time runs from it': async (
    storage,
  ) => {
    await givenClients(storage, [1, 2]);
    const first = await givenSubmitted(storage, 1, '2026-05-01T10:00:00.000Z');
    const asked = moved(first, 'action_needed');
    await commit(storage, asked);
    expect(await activityOf(storage)).toEqual({
      ...NOTHING,
      days: [{ day: dayNumber('2026-05-01'), ...NO_FIGURES, submitted: 1 }],
    });

    const again = moved(asked, 'submitted', { submittedAt: new Date('2026-05-02T10:00:00.000Z') });
    await commit(storage, again);
    expect(await activityOf(storage)).toEqual({
      ...NOTHING,
      days: [{ day: dayNumber('2026-05-02'), ...NO_FIGURES, submitted: 1, queued: 1 }],
      waiting: 1,
      waitingSince: new Date('2026-05-02T10:00:00.000Z'),
    });

    await commit(storage, moved(again, 'approved', { resolvedAt: new Date('2026-05-02T10:00:05.000Z') }));
    expect(await activityOf(storage)).toEqual({
      ...NOTHING,
      days: [
        { day: dayNumber('2026-05-02'), ...NO_FIGURES, submitted: 1, queued: 1, approved: 1, medianMs: 5_000 },
      ],
      medianMs: 5_000,
    });
  },

  'review activity: a withdrawn or expired verification has no decision': async (storage) => {
    await givenClients(storage, [1, 2]);
    for (const [n, type] of [
      [1, 'verification.withdrawn'],
      [2, 'verification.expired'],
    ] as const) {
      const submitted = await givenSubmitted(storage, n, '2026-05-01T10:00:00.000Z');
      const asked = moved(submitted, 'action_needed');
      await commit(storage, asked);
      await endWithoutReview(storage, asked, type);
      const pending = await givenVerification(storage, 10 + n, { requestedAt: submitted.requestedAt });
      await endWithoutReview(storage, pending, type);
    }
    expect(await activityOf(storage)).toEqual({
      ...NOTHING,
      days: [{ day: dayNumber('2026-05-01'), ...NO_FIGURES, submitted: 2 }],
    });
  },

  'review activity: a submission is left out if it was resolved before all days': async (storage) => {
    await givenClients(storage, [1, 2]);
    await givenDecided(storage, 1, '2026-05-02T10:00:00.000Z', '2026-04-28T23:59:59.999Z', 'approved');
    expect(await activityOf(storage)).toEqual(NOTHING);
  },

  'review activity: what waits now is counted, however long, with the longest wait': async (storage) => {
    await givenClients(storage, [1, 2]);
    await givenSubmitted(storage, 1, '2026-05-02T10:00:00.000Z');
    await givenSubmitted(storage, 2, '2025-01-01T10:00:00.001Z', { type: 'kyb' });
    await givenSubmitted(storage, 3, '2024-01-01T10:00:00.000Z', { clientId: clientId(2) });
    const asked = await givenSubmitted(storage, 4, '2024-01-01T10:00:00.000Z');
    await commit(storage, moved(asked, 'action_needed'));
    await givenDecided(storage, 5, '2024-01-01T10:00:00.000Z', '2026-05-02T10:00:00.000Z', 'approved');
    expect(await activityOf(storage)).toMatchObject({
      waiting: 2,
      waitingSince: new Date('2025-01-01T10:00:00.001Z'),
    });
  },
});

/** The activity of the first client in May, its days in order. */
async function activityOf(
  { verifications }: Storage,
  given: Partial<ReviewActivityQuery> = {},
): Promise<ReviewActivity> {
  const activity = await verifications.reviewActivity({ clientId: clientId(1), ...MAY, ...given });
  return { ...activity, days: [...activity.days].sort((a, b) => a.day - b.day) };
}

const after = (moment: string, ms: number): string => new Date(Date.parse(moment) + ms).toISOString();

async function givenDecided(
  storage: Storage,
  n: number,
  submittedAt: string,
  resolvedAt: string,
  status: 'approved' | 'rejected',
  given: Partial<VerificationRecord> = {},
): Promise<void> {
  const submitted = await givenSubmitted(storage, n, submittedAt, given);
  await commit(storage, moved(submitted, status, { resolvedAt: new Date(resolvedAt) }));
}

async function endWithoutReview(
  storage: Storage,
  record: VerificationRecord,
  type: 'verification.withdrawn' | 'verification.expired',
): Promise<void> {
  const ended = moved(record, 'rejected', { resolvedAt: new Date('2026-05-02T10:00:00.000Z') });
  await commit(storage, ended, { events: [eventOf(ended, { type })] });
}
