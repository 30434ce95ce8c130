import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wholeDaysIn } from './whole-days.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const someTime = fc.option(
  fc.integer({ min: -60, max: 60 }).map((hours) => new Date(hours * 4 * HOUR_MS)),
  { nil: undefined },
);

it('wholeDaysIn: whole days and parts together are the span, and parts are shorter than two days', () => {
  fc.assert(
    fc.property(someTime, someTime, (from, until) => {
      const { firstDay, endDay, parts } = wholeDaysIn(from, until);

      for (let time = -20 * DAY_MS; time < 20 * DAY_MS; time += HOUR_MS) {
        const day = Math.floor(time / DAY_MS);
        const times = Number(day >= firstDay && day < endDay) + parts.filter(isWithin(time)).length;
        expect(times).toBe(Number(isWithin(time)({ from, until })));
      }
      expect(parts.length).toBeLessThanOrEqual(2);
      for (const part of parts) expect(part.until.getTime() - part.from.getTime()).toBeLessThan(2 * DAY_MS);
    }),
  );
});

it('wholeDaysIn: days of a dashboard’s filter need no counting', () => {
  const days = wholeDaysIn(new Date('1970-01-03T00:00:00Z'), new Date('1970-01-05T00:00:00Z'));

  expect(days).toEqual({ firstDay: 2, endDay: 4, parts: [] });
  expect(wholeDaysIn(undefined, undefined).parts).toEqual([]);
});

it.each([
  ['10:00 until 14:00 of one day', '1970-01-02T10:00:00Z', '1970-01-02T14:00:00Z'],
  ['22:00 until 02:00 of the next day', '1970-01-02T22:00:00Z', '1970-01-03T02:00:00Z'],
  ['the first moment of a day until its noon', '1970-01-02T00:00:00Z', '1970-01-02T12:00:00Z'],
])('wholeDaysIn: %s has no whole day and is one part', (_, from, until) => {
  const span = { from: new Date(from), until: new Date(until) };
  const { firstDay, endDay, parts } = wholeDaysIn(span.from, span.until);

  expect(firstDay).toBeGreaterThanOrEqual(endDay);
  expect(parts).toEqual([span]);
});

it.each([
  ['at its beginning', '1970-01-02T10:00:00Z'],
  ['before its beginning', '1970-01-01T10:00:00Z'],
])('wholeDaysIn: a span that ends %s has no part', (_, until) => {
  expect(wholeDaysIn(new Date('1970-01-02T10:00:00Z'), new Date(until)).parts).toEqual([]);
});

function isWithin(time: number): (span: { from: Date | undefined; until: Date | undefined }) => boolean {
  return ({ from, until }) => time >= (from?.getTime() ?? -Infinity) && time < (until?.getTime() ?? Infinity);
}
