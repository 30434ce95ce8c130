import { DAY_MS } from './verification-counts.ts';

/** A span of time as the whole days in it, which are counted already, and the times of other days, which are not. */
export interface WholeDays {
  /** Days since 1970-01-01 in UTC; from this one on. */
  readonly firstDay: number;
  /** Before this day. Not after `firstDay` if there is no whole day. */
  readonly endDay: number;
  /** Spans before and after the whole days, at most two. */
  readonly parts: readonly TimeSpan[];
}

/** From a time on, until before another. */
export interface TimeSpan {
  readonly from: Date;
  readonly until: Date;
}

/** Splits a span into whole days in UTC and the rest. An undefined end is open. */
export function wholeDaysIn(from: Date | undefined, until: Date | undefined): WholeDays {
  const firstDay = from === undefined ? -Infinity : Math.ceil(from.getTime() / DAY_MS);
  const endDay = until === undefined ? Infinity : Math.floor(until.getTime() / DAY_MS);
  if (from !== undefined && until !== undefined && firstDay >= endDay) {
    return { firstDay: 0, endDay: 0, parts: from < until ? [{ from, until }] : [] };
  }
  const before = from === undefined ? [] : [{ from, until: new Date(firstDay * DAY_MS) }];
  const after = until === undefined ? [] : [{ from: new Date(endDay * DAY_MS), until }];
  return { firstDay, endDay, parts: [...before, ...after].filter((part) => part.from < part.until) };
}
