import { expect, test } from 'vitest';
import { unclearedProblem } from './sqlite-database.ts';

const HOUR_MS = 60 * 60 * 1_000;

test.each([
  [null, 0, []],
  [0, 48, []],
  [
    0,
    48.001,
    [
      'Copies of values of 2 erasures since 1970-01-01T00:00:00.000Z can still be in the free space of the file: run `countersign clear-erased-space`',
    ],
  ],
])('doctor: a file that was to be cleared since %s is a problem after 48 hours: %s', (since, hours, expected) => {
  const uncleared = { erasures: 2, since: since === null ? null : new Date(since), isSmall: false };
  expect(unclearedProblem(uncleared, new Date(hours * HOUR_MS))).toEqual(expected);
});
