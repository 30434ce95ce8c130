import { describe, expect, it } from 'vitest';
import {
  agoInWords,
  countOfUnits,
  countryInWords,
  countryName,
  dayInWords,
  durationInWords,
  languageInWords,
  listInWords,
  momentInWords,
  percentInWords,
  periodInWords,
  shortDurationInWords,
  sizeInWords,
  spanInWords,
} from './formats.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  ['P5Y', '5 years', '5 Jahre'],
  ['P18M', '1 year, 6 months', '1 Jahr, 6 Monate'],
  ['P90D', '90 days', '90 Tage'],
  ['P1Y2M3W', '1 year, 2 months, 21 days', '1 Jahr, 2 Monate, 21 Tage'],
  ['P0D', '0 days', '0 Tage'],
  ['soon', 'soon', 'soon'],
])('periodInWords: %s', (period, english, german) => {
  expect([periodInWords(period, 'en'), periodInWords(period, 'de')]).toEqual([english, german]);
});

describe('durationInWords', () => {
  it.each([
    [0, '1 minute'],
    [-5 * MINUTE, '1 minute'],
    [59_999, '1 minute'],
    [2 * MINUTE, '2 minutes'],
    [HOUR, '1 hour'],
    [HOUR + 5 * MINUTE, '1 hour, 5 minutes'],
    [DAY, '1 day'],
    [DAY + 59 * MINUTE, '1 day'],
    [400 * DAY + 3 * HOUR, '400 days, 3 hours'],
  ])('%d ms is %s', (milliseconds, words) => {
    expect(durationInWords(milliseconds, 'en')).toBe(words);
  });

  it('German', () => {
    expect(durationInWords(2 * DAY + HOUR, 'de')).toBe('2 Tage, 1 Stunde');
  });
});

it.each([
  [0, '1 min', '1 Min.'],
  [59_999, '1 min', '1 Min.'],
  [MINUTE, '1 min', '1 Min.'],
  [HOUR - 1, '59 min', '59 Min.'],
  [HOUR, '1 hr', '1 Std.'],
  [90 * MINUTE, '1 hr 30 min', '1 Std. 30 Min.'],
  [DAY - 1, '23 hr 59 min', '23 Std. 59 Min.'],
  [DAY, '1 day', '1 Tag'],
  [DAY + HOUR - 1, '1 day', '1 Tag'],
  [2 * DAY + HOUR, '2 days 1 hr', '2 Tage 1 Std.'],
])('shortDurationInWords: %d ms', (milliseconds, english, german) => {
  expect([shortDurationInWords(milliseconds, 'en'), shortDurationInWords(milliseconds, 'de')]).toEqual([
    english,
    german,
  ]);
});

it.each([
  [5_000, '5 seconds', '5 Sekunden'],
  [90 * MINUTE, '90 minutes', '90 Minuten'],
  [2 * HOUR, '2 hours', '2 Stunden'],
  [3 * DAY, '3 days', '3 Tage'],
])('spanInWords: %d ms', (milliseconds, english, german) => {
  expect([spanInWords(milliseconds, 'en'), spanInWords(milliseconds, 'de')]).toEqual([english, german]);
});

it('countOfUnits keeps the unit that is asked for', () => {
  expect(countOfUnits(24, 'hour', 'en')).toBe('24 hours');
});

it('listInWords joins words as a sentence does', () => {
  const words = ['a', 'b', 'c'];
  expect(listInWords(words, 'en')).toBe('a, b and c');
  expect(listInWords(words, 'de', 'disjunction')).toBe('a, b oder c');
});

describe('agoInWords', () => {
  it.each([
    [0, '1 min ago', 'vor 1 Min.'],
    [59 * MINUTE, '59 min ago', 'vor 59 Min.'],
    [119 * MINUTE, '1 hr ago', 'vor 1 Std.'],
    [49 * HOUR, '2 days ago', 'vor 2 Tagen'],
    [70 * 24 * HOUR, '2 months ago', 'vor 2 Monaten'],
    [800 * 24 * HOUR, '2 years ago', 'vor 2 Jahren'],
  ])('%i ms ago', (milliseconds, english, german) => {
    expect(agoInWords(milliseconds, 'en')).toBe(english);
    expect(agoInWords(milliseconds, 'de')).toBe(german);
  });
});

describe('sizes and percentages', () => {
  it('the size of a file has the unit that suits it', () => {
    expect(sizeInWords(34, 'en')).toBe('34 bytes');
    expect(sizeInWords(340, 'de')).toMatch(/^340\sByte$/);
    expect(sizeInWords(1_234, 'en')).toBe('1.2 kB');
    expect(sizeInWords(999_999, 'en')).toBe('976.6 kB');
    expect(sizeInWords(10_485_760, 'de')).toBe('10 MB');
  });

  it('a percentage keeps its decimals and follows the language', () => {
    expect(percentInWords(33.3, 'en')).toBe('33.3%');
    expect(percentInWords(33.3, 'de')).toBe('33,3\u00a0%');
  });
});

describe('dates, countries and languages', () => {
  it('known values are written in the language of the reader', () => {
    expect(momentInWords(new Date('2026-03-01T09:05:59.000Z'), 'de')).toBe('1. März 2026, 09:05 UTC');
    expect(momentInWords(new Date('2026-03-01T00:05:00.000Z'), 'en')).toBe('1 Mar 2026, 00:05 UTC');
    expect(dayInWords('0999-02-03', 'en')).toBe('3 February 999');
    expect(countryInWords('CI', 'de')).toBe('Côte d’Ivoire (CI)');
    expect(languageInWords('de-AT', 'en')).toBe('Austrian German');
  });

  it('unknown values stay as they are', () => {
    expect(dayInWords('soon', 'en')).toBe('soon');
    expect(countryInWords('<b>', 'en')).toBe('<b>');
    expect(countryInWords('QX', 'en')).toBe('QX');
    expect(countryName('en', 'not a code')).toBe('not a code');
    expect(languageInWords('not a tag', 'en')).toBe('not a tag');
  });
});
