import { expect, test } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import { returnedTo, takenFrom } from './budget-windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
const budget = (name: string) => ({ name, allowed: 1, windowMs: HOUR_MS });
const used = (name: string, endsAt = later(60), count = 1) => ({ name, used: count, allowed: 1, endsAt });

test('takenFrom: the budgets are used up until the last window of those without a mail left ends', () => {
  const find = (name: string) => used(name, later(name === 'long' ? 50 : 20));
  expect(takenFrom([budget('short'), budget('long')], find, NOW)).toEqual({
    outcome: 'used_up',
    until: later(50),
  });
});

test.each([
  ['at the start of the window', used('a', later(60)), [used('a', later(60), 0)]],
  ['before the end of the window', used('a', later(1)), [used('a', later(1), 0)]],
  ['before the window', used('a', later(61)), []],
  ['at the end of the window', used('a', NOW), []],
  ['and nothing is used', used('a', later(60), 0), []],
  ['and nothing is stored', undefined, []],
])('returnedTo: what to store when a mail was taken %s', (_when, stored, expected) => {
  expect(returnedTo([budget('a')], () => stored, NOW)).toEqual(expected);
});
