import { expect, test } from 'vitest';
import { clockProblem, clockText } from './findings.ts';

const differing = (clockDifferenceMs: number, roundTripMs = 2) => ({ clockDifferenceMs, roundTripMs });

test('clockText: says whether the clock is ahead or behind', () => {
  expect(clockText('Redis', differing(12))).toBe(
    "The clock of Redis is 12 ms ahead of this machine's (round trip 2 ms)",
  );
  expect(clockText('Redis', differing(-12))).toContain('12 ms behind this machine');
});

test.each([0, 999, -999, 1_001])('clockProblem: accepts a difference of %d ms', (ms) => {
  expect(clockProblem('Redis', differing(ms))).toEqual([]);
});

test.each([1_100, -90_000])('clockProblem: reports a difference of %d ms', (ms) => {
  expect(clockProblem('Redis', differing(ms))).toEqual([
    expect.stringMatching(/^The clock of Redis .*: synchronise both with NTP/),
  ]);
});

test('clockProblem: accepts a difference that a slow round trip may explain', () => {
  expect(clockProblem('Redis', differing(1_100, 400))).toEqual([]);
});
