import { describe, expect, it } from 'vitest';
import { firstDayEverywhere, lastDayEverywhere, latestToday } from './days-everywhere.ts';

/** The time zones in which days begin first and last, and one between. */
const ZONES = ['Pacific/Kiritimati', 'Europe/Berlin', 'Etc/GMT+12'];

const dayIn = (zone: string, moment: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(moment);

const before = (moment: Date) => new Date(moment.getTime() - 1);

describe('days of readers whose time zone is unknown', () => {
  it.each([
    ['2026-12-23T21:28:00Z', '2026-12-22'],
    ['2026-12-24T12:00:00Z', '2026-12-23'],
    ['2026-12-24T11:59:59.999Z', '2026-12-22'],
    ['2027-01-01T12:00:00Z', '2026-12-31'],
  ])('lastDayEverywhere: until %s the last whole day is %s', (moment, day) => {
    expect(lastDayEverywhere(new Date(moment))).toBe(day);
  });

  it.each([
    ['2026-12-23T10:00:00Z', '2026-12-24'],
    ['2026-12-23T10:00:00.001Z', '2026-12-25'],
    ['2026-12-31T09:00:00Z', '2027-01-01'],
  ])('firstDayEverywhere: from %s the first whole day is %s', (moment, day) => {
    expect(firstDayEverywhere(new Date(moment))).toBe(day);
  });

  it('days everywhere: at every hour the last day is over, and the first has not begun, in each zone', () => {
    for (let hour = 0; hour < 48; hour += 1) {
      const moment = new Date(Date.UTC(2026, 11, 30, hour));
      for (const zone of ZONES) {
        expect(lastDayEverywhere(moment) < dayIn(zone, moment), `${zone} ${hour}`).toBe(true);
        expect(firstDayEverywhere(moment) > dayIn(zone, before(moment)), `${zone} ${hour}`).toBe(true);
      }
      expect(latestToday(moment)).toBe(dayIn('Pacific/Kiritimati', moment));
    }
  });
});
