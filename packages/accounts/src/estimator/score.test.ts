import { expect, it } from 'vitest';
import { scoreOf } from './score.ts';

// cspell:ignore horsebatterystaple verkoopt zqwvkmtrfxpl
it.each<[password: string, score: number, why: string]>([
  ['violet anchor 7 gravel', 4, 'four words'],
  ['horsebatterystaple', 3, 'three words'],
  ['837465019283', 4, 'digits without a word between'],
  ['8374650192', 3, 'ten digits without a word between'],
  // A word keeps its score with additions up to the length of a date.
  ['schmetterling', 1, 'a word'],
  ['schmetterling8365019274', 1, 'a word and ten digits'],
  ['schmetterling83650192741', 4, 'a word and eleven digits'],
  ['Geburtstag1985!', 1, 'a word, a year and a mark'],
  // A repeated part counts once, unless the whole is a word.
  ['horsebatterystaple'.repeat(3), 3, 'three words that are repeated'],
  ['instantaneously', 1, 'a word with a repeat'],
])('an estimate of %j is %s: %s', (password, score) => {
  expect(scoreOf({ password, expected: [] })).toBe(score);
});

it('an estimate treats expected words as the first guesses', () => {
  expect(scoreOf({ password: 'Verkoopt8291', expected: [] })).toBe(4);
  expect(scoreOf({ password: 'Verkoopt8291', expected: ['verkoopt'] })).toBeLessThan(4);
  expect(scoreOf({ password: 'zqwvkmtrfxpl', expected: [] })).toBe(4);
  expect(scoreOf({ password: 'zqwvkmtrfxpl', expected: ['zqwvkmtrfxpl'] })).toBe(0);
  // With as many digits as a date, the whole alone would be random characters.
  expect(scoreOf({ password: 'zqwvkmtrfxpl8365019274', expected: ['zqwvkmtrfxpl'] })).toBe(0);
});
