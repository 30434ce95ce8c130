import { type Duration, isNoTime } from './duration.ts';

/** A day of the calendar, without a time zone. */
interface Day {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
}

const HOUR_MS = 60 * 60 * 1000;

/** No time zone was ever further from UTC than this. */
const OFFSET_MAX_MS = 16 * HOUR_MS;

/** A change of an offset moves clocks by less than this, except where a day was skipped. */
const CHANGE_MAX_MS = 4 * HOUR_MS;

/** Changes of an offset lie further apart than this. */
const PROBE_MS = HOUR_MS / 4;

/**
 * Returns the first moment after a period, as Regulation (EEC, Euratom) No 1182/71 Art. 3 counts: the day of the event is not
 * part of the period, which ends with the last hour of its last day. A period of months ends on the day with the number of the
 * event's day, or on the last day of a month without it. It is not extended over holidays and weekends.
 * @param timeZone name of the IANA database: days begin and end there
 * @returns `event` itself for a period of no time
 *
 * @example
 * endOfPeriod(new Date('2028-02-29T10:00:00Z'), { months: 60, days: 0 }, 'UTC'); // 2033-03-01T00:00:00.000Z
 */
export function endOfPeriod(event: Date, duration: Duration, timeZone: string): Date {
  if (isNoTime(duration)) return event;
  const { year, month, day } = dayOf(localTime(event, timeZone));
  const last = { year, month: month + duration.months, day: 1 };
  const lastDay = Math.min(day, daysInMonth(last));
  return startOfDay({ ...last, day: lastDay + duration.days + 1 }, timeZone);
}

/** Returns the hour, from 0 to 23, that clocks in the time zone show. */
export function hourIn(moment: Date, timeZone: string): number {
  return new Date(localTime(moment, timeZone)).getUTCHours();
}

/** Whether this is the name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

function daysInMonth({ year, month }: Day): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

/**
 * Returns the moment from which the day before is over for good. Days begin later than midnight where clocks skip it, and where a day
 * is skipped as a whole, the next one begins.
 */
function startOfDay({ year, month, day }: Day, timeZone: string): Date {
  const midnight = Date.UTC(year, month, day);
  const localAt = (time: number): number => localTime(new Date(time), timeZone);
  const hasBegun = (time: number): boolean => localAt(time) >= midnight;
  const offsetAt = (time: number): number => localAt(time) - time;

  const offset = offsetAt(midnight);
  const guess = midnight - offset;
  const isSteady = [guess - CHANGE_MAX_MS, guess, guess + CHANGE_MAX_MS].every(
    (time) => offsetAt(time) === offset,
  );
  if (isSteady) return new Date(guess);

  let start = firstTime(hasBegun, midnight - OFFSET_MAX_MS, midnight + OFFSET_MAX_MS);
  // Where clocks are set back over midnight, the day before comes a second time.
  for (let time = start; time < start + CHANGE_MAX_MS; time += PROBE_MS) {
    if (!hasBegun(time)) start = firstTime(hasBegun, time, time + CHANGE_MAX_MS);
  }
  return new Date(start);
}

/** Finds the first time for which the condition holds: it does not at `from`, it does at `until`, and it changes once. */
function firstTime(holds: (time: number) => boolean, from: number, until: number): number {
  let [before, after] = [from, until];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (holds(middle)) after = middle;
    else before = middle;
  }
  return after;
}

function dayOf(local: number): Day {
  const date = new Date(local);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

/** Kept, because a new formatter costs as much as eighty uses. */
const FORMATTERS = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const formatter = FORMATTERS.get(timeZone) ?? newFormatter(timeZone);
  FORMATTERS.set(timeZone, formatter);
  return formatter;
}

function newFormatter(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

/** Returns what clocks in the time zone show, as if they showed UTC: milliseconds since 1970, in whole seconds. */
function localTime(moment: Date, timeZone: string): number {
  const parts = formatterOf(timeZone).formatToParts(moment);
  const shown = new Map(parts.map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => shown.get(type) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}
