import { z } from 'zod';
import { invalidParameters } from '../errors.ts';
import { parseInput } from '../input/parse.ts';
import { FIRST_DAY } from './schema.ts';

/** The last day that filters and positions may name. */
export const LAST_DAY = '9998-12-31';

/** First and last day, `YYYY-MM-DD` in UTC, both included. A day that is left out is no bound. */
export interface Days {
  readonly fromDay?: string | undefined;
  readonly untilDay?: string | undefined;
}

const daySchema = z.iso.date({ abort: true }).refine((value) => value >= FIRST_DAY && value <= LAST_DAY, {
  error: `must be a day from ${FIRST_DAY} to ${LAST_DAY}`,
  params: { code: 'not_a_date' },
});

/** The schemas of a range of days. */
export const dayRangeShape: Readonly<Record<keyof Days, z.ZodType<string | undefined>>> = {
  fromDay: daySchema.optional(),
  untilDay: daySchema.optional(),
};

const dayRangeSchema: z.ZodType<Days> = z.strictObject(dayRangeShape);

/**
 * Returns the moments at which a range of unchecked days begins and ends.
 * @throws CountersignError `INVALID_PARAMETERS`
 */
export function parseDayRange(range: Days): ReturnType<typeof momentsOf> {
  return momentsOf(parseInput(dayRangeSchema, range));
}

/**
 * Returns the moments at which a range of valid days begins and ends: the beginning is included, the end is not.
 * @throws CountersignError `INVALID_PARAMETERS` at `untilDay`
 */
export function momentsOf({ fromDay, untilDay }: Days): {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
} {
  if ((untilDay ?? LAST_DAY) < (fromDay ?? FIRST_DAY)) {
    throw invalidParameters([{ path: 'untilDay', message: 'must not lie before the first day', code: 'invalid' }]);
  }
  return {
    from: fromDay === undefined ? undefined : midnight(fromDay),
    until: untilDay === undefined ? undefined : midnightAfter(untilDay),
  };
}

function midnight(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

function midnightAfter(day: string): Date {
  const next = midnight(day);
  next.setUTCDate(next.getUTCDate() + 1);
  return next;
}
