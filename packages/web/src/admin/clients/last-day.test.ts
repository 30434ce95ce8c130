import { describe, expect, it } from 'vitest';
import { endOfDay, lastDayOf } from './last-day.ts';

describe('the last day of a subscription', () => {
  it.each([
    ['2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29', '2028-03-01T00:00:00.000Z'],
    ['9998-12-31', '9999-01-01T00:00:00.000Z'],
  ])('%s ends at %s, and is read from it', (day, moment) => {
    expect(endOfDay(day)).toEqual(new Date(moment));
    expect(lastDayOf(new Date(moment))).toBe(day);
  });

  it.each([
    '2026-12-32',
    '2027-02-29',
    '2026-1-1',
    '10000-01-01',
    '9999-12-31',
    'last-of-May',
    '',
    '-000001-01-01',
  ])('is not %j', (day) => {
    expect(endOfDay(day)).toBeNull();
  });

  it('of one that ends within a day is that day', () => {
    expect(lastDayOf(new Date('2027-01-01T09:30:00Z'))).toBe('2027-01-01');
  });
});
