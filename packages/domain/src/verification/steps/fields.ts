import { z } from 'zod';
import type { Issue } from '../../errors.ts';
import { characterCount, isStorableText } from '../../text.ts';
import { isCountryCode } from './countries.ts';
import type { StepContext } from './step.ts';

/** Text of any script, trimmed, counted in characters as a person counts them. */
export function text(max: number): z.ZodType<string> {
  return z
    .string()
    .trim()
    .min(1)
    .refine((value) => characterCount(value) <= max, {
      error: `must have at most ${max} characters`,
      params: { code: 'too_long', limit: max },
    })
    .refine(isStorableText, { error: 'must be plain text', params: { code: 'not_plain_text' } });
}

/** A given, middle or family name. */
export const name: z.ZodType<string> = text(100);

/** ISO 3166-1 alpha-2, upper case. */
export const country: z.ZodType<string> = z.string().refine(isCountryCode, {
  error: 'must be an ISO 3166-1 alpha-2 country code',
  params: { code: 'not_a_country' },
});

/** A calendar date `YYYY-MM-DD` that exists. */
export const date: z.ZodType<string> = z.iso.date();

export const email: z.ZodType<string> = z.email().max(254);

/** E.164: a plus sign, then up to 15 digits. */
export const phone: z.ZodType<string> = z.e164();

/** The id that an upload was answered with. */
export const fileId: z.ZodType<string> = z.string().min(1).max(100);

export interface Address {
  readonly line1: string;
  readonly line2?: string | undefined;
  readonly city: string;
  readonly region?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly country: string;
}

export const addressShape: { [K in keyof Address]-?: z.ZodType<Address[K]> } = {
  line1: text(200),
  line2: text(200).optional(),
  city: text(100),
  region: text(100).optional(),
  postalCode: text(20).optional(),
  country,
};

/** Calendar day in UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** A date that must lie before today, as a birth or an incorporation does. */
export function inThePast(path: string, value: string | undefined, { now }: StepContext): Issue[] {
  if (value === undefined || value < dayOf(now)) return [];
  return [{ path, message: 'must be in the past', code: 'not_in_the_past' }];
}

/** A date of birth in the past, of a person who has reached the minimum age today. */
export function oldEnough(path: string, dateOfBirth: string | undefined, context: StepContext): Issue[] {
  const past = inThePast(path, dateOfBirth, context);
  const { minimumAge } = context;
  if (past.length > 0 || dateOfBirth === undefined || isOfAge(dateOfBirth, context)) return past;
  return [{ path, message: `must be at least ${minimumAge} years ago`, code: 'too_young', limit: minimumAge }];
}

/** Whether somebody born on that day has reached the minimum age. */
export function isOfAge(
  dateOfBirth: string,
  { now, minimumAge }: { readonly now: Date; readonly minimumAge: number },
): boolean {
  const [year = 0, month = 1, day = 1] = dateOfBirth.split('-').map(Number);
  const birthday = new Date(0);
  birthday.setUTCFullYear(year + minimumAge, month - 1, day);
  return birthday <= now;
}
