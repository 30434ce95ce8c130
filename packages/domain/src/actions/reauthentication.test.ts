import { expect, test } from 'vitest';
import { CONFIRMED_MS, isConfirmed } from './reauthentication.ts';

const NOW = new Date('2026-03-01T10:00:00.000Z');
const ago = (milliseconds: number): { confirmedAt: Date } => ({
  confirmedAt: new Date(NOW.getTime() - milliseconds),
});

test('a confirmation holds for ten minutes, the last moment not included', () => {
  expect(CONFIRMED_MS).toBe(600_000);
  expect([0, 1, CONFIRMED_MS - 1, CONFIRMED_MS].map((age) => isConfirmed(ago(age), NOW))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('who never confirmed is not confirmed', () => {
  expect(isConfirmed({ confirmedAt: null }, NOW)).toBe(false);
});

test('a clock of another instance that is a little ahead takes nothing away', () => {
  expect(isConfirmed(ago(-2_000), NOW)).toBe(true);
});

test('a clock that was put back makes no confirmation hold for longer', () => {
  expect(isConfirmed(ago(-CONFIRMED_MS), NOW)).toBe(false);
  expect(isConfirmed(ago(-24 * 3_600_000), NOW)).toBe(false);
});
