import { expect, it } from 'vitest';
import { LINK_RENEWALS_A_DAY, requireLinkRenewal } from './link-renewals.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date('2026-03-02T12:00:00Z');
const before = (milliseconds: number): Date => new Date(NOW.getTime() - milliseconds);
const justNow = (count: number): Date[] => Array.from({ length: count }, () => NOW);

it.each<[what: string, renewedAt: readonly Date[]]>([
  ['none', []],
  ['four just now', justNow(4)],
  ['five, of which one was a day ago', [before(DAY_MS), ...justNow(4)]],
  ['many before that', Array.from({ length: 50 }, () => before(2 * DAY_MS))],
])('a link can be renewed after %s', (_, renewedAt) => {
  expect(() => requireLinkRenewal(renewedAt, NOW)).not.toThrow();
});

it.each<[what: string, renewedAt: readonly Date[], retryAt: Date]>([
  ['five just now', justNow(5), new Date(NOW.getTime() + DAY_MS)],
  [
    'five, the first a day ago less a millisecond',
    [...justNow(4), before(DAY_MS - 1)],
    new Date(NOW.getTime() + 1),
  ],
  [
    'more than five, which an earlier version allowed',
    [20, 5, 4, 3, 2, 1].map((hours) => before(hours * HOUR_MS)),
    new Date(NOW.getTime() + 19 * HOUR_MS),
  ],
])('a link cannot be renewed after %s; the error says when', (_, renewedAt, retryAt) => {
  expect(LINK_RENEWALS_A_DAY).toBe(5);
  expect(() => requireLinkRenewal(renewedAt, NOW)).toThrow(
    expect.objectContaining({
      code: 'TOO_MANY_RENEWALS',
      message: `Renewed too often. Try again at ${retryAt.toISOString()} or later.`,
      data: { retryAt: retryAt.toISOString() },
    }),
  );
});
