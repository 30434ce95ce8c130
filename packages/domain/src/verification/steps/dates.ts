import type { Issue } from '../../errors.ts';
import type { StepContext } from '../../fields/step.ts';

/** Returns the calendar day in UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Requires a date before today, such as a birth or an incorporation. */
export function inThePast(path: string, value: string | undefined, { now }: StepContext): Issue[] {
  if (value === undefined || value < dayOf(now)) return [];
  return [{ path, message: 'must be in the past', code: 'not_in_the_past' }];
}

/** Requires the date of birth of a person who has reached the minimum age today. */
export function oldEnough(path: string, dateOfBirth: string | undefined, context: StepContext): Issue[] {
  const past = inThePast(path, dateOfBirth, context);
  const { minimumAge } = context;
  if (past.length > 0 || dateOfBirth === undefined || isOfAge(dateOfBirth, context)) return past;
  return [{ path, message: `must be at least ${minimumAge} years ago`, code: 'too_young', limit: minimumAge }];
}

/** Whether a person born on that day has reached the minimum age. */
export function isOfAge(
  dateOfBirth: string,
  { now, minimumAge }: { readonly now: Date; readonly minimumAge: number },
): boolean {
  const [year = 0, month = 1, day = 1] = dateOfBirth.split('-').map(Number);
  const birthday = new Date(0);
  birthday.setUTCFullYear(year + minimumAge, month - 1, day);
  return birthday <= now;
}
