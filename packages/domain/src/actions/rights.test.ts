import { expect, test } from 'vitest';
import { CONFIRMED_MS, isConfirmed } from './rights.ts';

const NOW = new Date('2026-03-01T10:00:00.000Z');
const ago = (milliseconds: number): { confirmedAt: Date } => ({
  confirmedAt: new Date(NOW.getTime() - milliseconds),
});

test('isConfirmed: true for less than ten minutes', () => {
  expect(CONFIRMED_MS).toBe(600_000);
  expect([0, 1, CONFIRMED_MS - 1, CONFIRMED_MS].map((age) => isConfirmed(ago(age), NOW))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('isConfirmed: false for a session that was never confirmed', () => {
  expect(isConfirmed({ confirmedAt: null }, NOW)).toBe(false);
});

test('isConfirmed: true although the clock of another instance is slightly ahead', () => {
  expect(isConfirmed(ago(-2_000), NOW)).toBe(true);
});

test('isConfirmed: false for longer than ten minutes ahead, after a clock was set back', () => {
  expect(isConfirmed(ago(-CONFIRMED_MS), NOW)).toBe(false);
  expect(isConfirmed(ago(-24 * 3_600_000), NOW)).toBe(false);
});
