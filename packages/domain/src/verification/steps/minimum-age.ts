import type { Issue } from '../../errors.ts';
import type { StepContext } from '../../fields/step.ts';
import { inThePast } from './shared-fields.ts';

/** Full years that the subject of a KYC verification must have, unless `CountersignSettings.minimumAge` says otherwise. */
export const MINIMUM_AGE = 18;

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
