import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOfPeriod } from './calendar.ts';
import { DURATION_MAX_YEARS, type Duration, isAtLeast, isNoTime, parseDuration } from './duration.ts';

const parsed = (text: string): Duration => parseDuration(text) ?? expect.fail(`${text} is no duration`);

describe('parseDuration', () => {
  it.each([
    ['P5Y', { months: 60, days: 0 }],
    ['P1Y6M', { months: 18, days: 0 }],
    ['P2W', { months: 0, days: 14 }],
    ['P90D', { months: 0, days: 90 }],
    ['P1Y2M3W4D', { months: 14, days: 25 }],
    ['P0D', { months: 0, days: 0 }],
    ['P0Y', { months: 0, days: 0 }],
    ['P100Y', { months: 1_200, days: 0 }],
    ['P36500D', { months: 0, days: 36_500 }],
  ])('parses %s', (text, duration) => {
    expect(parseDuration(text)).toEqual(duration);
  });

  it.each([
    '',
    'P',
    'P5',
    '5Y',
    'p5y',
    'P5Y ',
    'P-5Y',
    'P1.5Y',
    'P5YT',
    'PT1H',
    'P1DT1H',
    'P6M1Y',
    'P1Y1Y',
    'P101Y',
    'P1201M',
    'P36501D',
    'P99999999Y',
    'P5Y\n',
    'P５Y',
  ])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  it('refuses more months than the longest duration has', () => {
    expect(parseDuration(`P${DURATION_MAX_YEARS}Y`)).not.toBeNull();
    expect(parseDuration(`P${DURATION_MAX_YEARS * 12 + 1}M`)).toBeNull();
  });
});

it('isNoTime: only a duration without months and days', () => {
  expect(['P0D', 'P0Y0M', 'P1D', 'P1M'].map((text) => isNoTime(parsed(text)))).toEqual([true, true, false, false]);
});

describe('isAtLeast', () => {
  it.each([
    ['P5Y', 'P5Y', true],
    ['P60M', 'P5Y', true],
    ['P5Y', 'P60M', true],
    ['P5Y1D', 'P5Y', true],
    ['P5Y', 'P5Y1D', false],
    ['P59M', 'P5Y', false],
    // Five years can have two leap days.
    ['P1826D', 'P5Y', false],
    ['P1827D', 'P5Y', true],
    // They can also have one, and from 1897 to 1902 none.
    ['P5Y', 'P1825D', true],
    ['P5Y', 'P1827D', false],
    ['P1M', 'P28D', true],
    ['P1M', 'P29D', false],
    ['P31D', 'P1M', true],
    ['P30D', 'P1M', false],
    // Each month of the calendar counts: from 31 January, a month and three days can end in March.
    ['P1M3D', 'P31D', true],
    ['P1M2D', 'P31D', false],
    ['P2M', 'P1M31D', false],
    ['P2M', 'P1M', true],
    ['P0D', 'P0D', true],
    ['P0D', 'P1D', false],
  ])('%s is at least %s: %s', (a, b, expected) => {
    expect(isAtLeast(parsed(a), parsed(b))).toBe(expected);
  });

  it('is never true of a period that can end before the other', () => {
    const duration = fc.record({ months: fc.nat(130), days: fc.nat(400) });
    const day = fc.date({ min: new Date('1890-01-01'), max: new Date('2410-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(duration, duration, day, (a, b, start) => {
        fc.pre(!isNoTime(a) && !isNoTime(b));
        const isLonger = endOfPeriod(start, a, 'UTC') >= endOfPeriod(start, b, 'UTC');
        expect(isLonger || !isAtLeast(a, b)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
