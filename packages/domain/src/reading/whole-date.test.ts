import { expect, test } from 'vitest';
import { wholeDate } from './whole-date.ts';

const TODAY = '2026-11-29';

test.each([
  ['640812', 'birth', '1964-08-12'],
  ['261129', 'birth', '2026-11-29'],
  ['261130', 'birth', '1926-11-30'],
  ['000229', 'birth', '2000-02-29'],
  ['310101', 'expiry', '2031-01-01'],
  ['990101', 'expiry', '1999-01-01'],
  ['761129', 'expiry', '2076-11-29'],
  ['761130', 'expiry', '1976-11-30'],
] as const)('%s as %s is %s', (digits, of, date) => {
  expect(wholeDate(digits, of, TODAY)).toBe(date);
});

test('near the end of a century, an expiry lies in the next one', () => {
  expect(wholeDate('050101', 'expiry', '2099-06-01')).toBe('2105-01-01');
  expect(wholeDate('050101', 'birth', '2099-06-01')).toBe('2005-01-01');
});

test.each(['6408', '64081A', '641301', '640230', '260229', '<<<<<<', '0640812'])('%s is no date', (digits) => {
  expect(wholeDate(digits, 'birth', TODAY)).toBeNull();
});
