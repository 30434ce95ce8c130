import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { endOfPeriod, hourIn, isTimeZone } from './calendar.ts';
import { parseDuration } from './duration.ts';

/** The end of a period, in ISO 8601. */
function end(event: string, period: string, timeZone = 'UTC'): string {
  const duration = parseDuration(period) ?? expect.fail(`${period} is no duration`);
  return endOfPeriod(new Date(event), duration, timeZone).toISOString();
}

describe('endOfPeriod', () => {
  it.each([
    // The day of the event is not counted, whatever its time.
    ['2026-03-10T00:00:00Z', 'P1D', '2026-03-12T00:00:00.000Z'],
    ['2026-03-10T00:00:00.500Z', 'P1D', '2026-03-12T00:00:00.000Z'],
    ['2026-03-10T23:59:59.999Z', 'P1D', '2026-03-12T00:00:00.000Z'],
    ['2026-03-10T12:00:00Z', 'P90D', '2026-06-09T00:00:00.000Z'],
    ['2026-03-10T12:00:00Z', 'P2W', '2026-03-25T00:00:00.000Z'],
    ['2026-03-10T12:00:00Z', 'P1M', '2026-04-11T00:00:00.000Z'],
    ['2026-03-10T12:00:00Z', 'P5Y', '2031-03-11T00:00:00.000Z'],
    // Ends of months.
    ['2026-01-31T12:00:00Z', 'P1M', '2026-03-01T00:00:00.000Z'],
    ['2028-01-31T12:00:00Z', 'P1M', '2028-03-01T00:00:00.000Z'],
    ['2026-03-31T12:00:00Z', 'P1M', '2026-05-01T00:00:00.000Z'],
    ['2026-12-31T12:00:00Z', 'P2M', '2027-03-01T00:00:00.000Z'],
    ['2026-01-31T12:00:00Z', 'P1M1D', '2026-03-02T00:00:00.000Z'],
    // 29 February.
    ['2028-02-29T12:00:00Z', 'P1Y', '2029-03-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00Z', 'P4Y', '2032-03-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00Z', 'P5Y', '2033-03-01T00:00:00.000Z'],
    ['2027-02-28T12:00:00Z', 'P1Y', '2028-02-29T00:00:00.000Z'],
    ['2028-02-28T12:00:00Z', 'P1D', '2028-03-01T00:00:00.000Z'],
    // 2100 is no leap year.
    ['2096-02-29T12:00:00Z', 'P4Y', '2100-03-01T00:00:00.000Z'],
    ['2026-06-30T12:00:00Z', 'P100Y', '2126-07-01T00:00:00.000Z'],
  ])('from %s, %s ends at %s', (event, period, expected) => {
    expect(end(event, period)).toBe(expected);
  });

  it('of no time is the event itself', () => {
    expect(end('2026-03-10T12:34:56.789Z', 'P0D', 'Europe/Berlin')).toBe('2026-03-10T12:34:56.789Z');
  });

  it.each([
    // The event's day is that of the time zone: in Berlin it is the 11th already.
    ['2026-03-10T23:30:00Z', 'P1D', 'Europe/Berlin', '2026-03-12T23:00:00.000Z'],
    ['2026-03-10T22:30:00Z', 'P1D', 'Europe/Berlin', '2026-03-11T23:00:00.000Z'],
    ['2026-03-11T05:30:00Z', 'P1D', 'America/Los_Angeles', '2026-03-12T07:00:00.000Z'],
    // Daylight saving begins on 29 March 2026 and ends on 25 October in Berlin, neither at midnight.
    ['2026-03-10T12:00:00Z', 'P1M', 'Europe/Berlin', '2026-04-10T22:00:00.000Z'],
    ['2026-03-28T12:00:00Z', 'P1D', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-24T12:00:00Z', 'P1D', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    // Midnight was skipped: 4 November 2018 began at 01:00 in São Paulo, which is 03:00 UTC.
    ['2018-11-02T12:00:00Z', 'P1D', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // The hour before midnight was repeated: 17 February 2018 ended with the second 23:59:59.
    ['2018-02-16T12:00:00Z', 'P1D', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
    // Midnight is skipped in Beirut: 29 March 2026 begins at 01:00, which is 22:00 UTC of the day before.
    ['2026-03-27T12:00:00Z', 'P1D', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
    ['2026-10-23T12:00:00Z', 'P1D', 'Asia/Beirut', '2026-10-24T22:00:00.000Z'],
    // Clocks move by half an hour.
    ['2026-04-03T12:00:00Z', 'P1D', 'Australia/Lord_Howe', '2026-04-04T13:00:00.000Z'],
    ['2026-04-04T12:00:00Z', 'P1D', 'Australia/Lord_Howe', '2026-04-05T13:30:00.000Z'],
    // Clocks move by three hours, four hours after the day has begun.
    ['2018-10-05T12:00:00Z', 'P1D', 'Antarctica/Casey', '2018-10-06T16:00:00.000Z'],
    // 30 December 2011 was skipped in Apia: the 29th was followed by the 31st.
    ['2011-12-28T12:00:00Z', 'P1D', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-12-29T12:00:00Z', 'P1D', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-11-30T12:00:00Z', 'P1M', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    // At 00:01 on 4 November 2007, clocks went back to 23:01: the 3rd came a second time, until 03:30 UTC.
    ['2007-11-02T12:00:00Z', 'P1D', 'America/St_Johns', '2007-11-04T03:30:00.000Z'],
    // At 02:00 on 5 March 2010, clocks went back to 23:00: the 4th came a second time, until 16:00 UTC.
    ['2010-03-03T00:00:00Z', 'P1D', 'Antarctica/Casey', '2010-03-04T16:00:00.000Z'],
    // At 01:00 on 29 October 2021, clocks went back to 00:00: the 29th began before.
    ['2021-10-27T12:00:00Z', 'P1D', 'Asia/Amman', '2021-10-28T21:00:00.000Z'],
    // The first 44 minutes and 30 seconds of 7 January 1972 were skipped.
    ['1972-01-05T12:00:00Z', 'P1D', 'Africa/Monrovia', '1972-01-07T00:44:30.000Z'],
    ['2026-03-10T12:00:00Z', 'P1D', 'Asia/Kathmandu', '2026-03-11T18:15:00.000Z'],
    ['2026-03-10T12:00:00Z', 'P1D', 'Pacific/Kiritimati', '2026-03-12T10:00:00.000Z'],
  ])('from %s, %s in %s %s', (event, period, timeZone, expected) => {
    expect(end(event, period, timeZone)).toBe(expected);
  });

  const ZONES = [
    'UTC',
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Asia/Beirut',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'America/St_Johns',
    'Africa/Casablanca',
    'Asia/Gaza',
  ];
  const zone = fc.constantFrom(...ZONES);
  const event = fc.date({ min: new Date('1971-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
  const duration = fc.record({ months: fc.nat(120), days: fc.nat(400) });
  const HOUR_MS = 3_600_000;

  it('never ends earlier for a later event, and never before the day of the event is over', () => {
    fc.assert(
      fc.property(event, fc.nat(400 * 24 * HOUR_MS), duration, zone, (first, later, period, timeZone) => {
        const second = new Date(first.getTime() + later);
        const ends = endOfPeriod(first, period, timeZone);
        expect(endOfPeriod(second, period, timeZone).getTime()).toBeGreaterThanOrEqual(ends.getTime());
        expect(ends.getTime()).toBeGreaterThanOrEqual(first.getTime());
      }),
      { numRuns: 500 },
    );
  });

  it('of days ends within a day of the same period in UTC, and an hour where clocks change; in Apia within two', () => {
    fc.assert(
      fc.property(event, fc.integer({ min: 1, max: 4_000 }), zone, (at, days, timeZone) => {
        const period = { months: 0, days };
        const apart = endOfPeriod(at, period, timeZone).getTime() - endOfPeriod(at, period, 'UTC').getTime();
        const most = timeZone === 'Pacific/Apia' ? 49 : 25;
        expect(Math.abs(apart)).toBeLessThanOrEqual(most * HOUR_MS);
      }),
      { numRuns: 500 },
    );
  });

  it('ends where a day of the time zone begins', () => {
    fc.assert(
      fc.property(event, duration, zone, (at, period, timeZone) => {
        fc.pre(period.months + period.days > 0);
        const ends = endOfPeriod(at, period, timeZone);
        const formatter = new Intl.DateTimeFormat('sv', { timeZone });
        const dayAt = (moment: number) => formatter.format(moment);
        expect(dayAt(ends.getTime() - 1) < dayAt(ends.getTime())).toBe(true);
        // The day before does not come again.
        for (let hour = 0.25; hour < 12; hour += 0.25) {
          expect(dayAt(ends.getTime() + hour * HOUR_MS) >= dayAt(ends.getTime())).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});

test('isTimeZone: names of the IANA database', () => {
  expect(['UTC', 'Europe/Berlin', 'Europe/Nowhere', ''].map(isTimeZone)).toEqual([true, true, false, false]);
});

test.each([
  ['2026-03-29T00:30:00Z', 1],
  ['2026-03-29T01:30:00Z', 3],
  ['2026-10-25T00:30:00Z', 2],
  ['2026-10-25T01:30:00Z', 2],
  ['2026-12-31T23:00:00Z', 0],
])('hourIn: at %s, clocks in Berlin show hour %i', (moment, hour) => {
  expect(hourIn(new Date(moment), 'Europe/Berlin')).toBe(hour);
});
