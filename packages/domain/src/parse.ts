import type { z } from 'zod';
import { type Issue, type IssueCode, invalidParameters } from './errors.ts';

/** What a zod error says of an input, in the domain's own terms: an unknown field is named by its own path. */
export function issuesOf(error: z.ZodError, input: unknown): Issue[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      return [{ path: joined(issue.path), message: issue.message, ...kindOf(issue, valueAt(input, issue.path)) }];
    }
    const unknown = { message: 'is not a known field', code: 'unknown_field' } as const;
    return issue.keys.map((key) => ({ path: joined([...issue.path, key]), ...unknown }));
  });
}

/** Parses an untrusted value. @throws CountersignError `INVALID_PARAMETERS` with what is wrong, within `invalidParameters`' bounds. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalidParameters(issuesOf(parsed.error, input));
  return parsed.data;
}

type Kind = Pick<Issue, 'code' | 'limit'>;

const FORMATS: Readonly<Record<string, IssueCode>> = {
  date: 'not_a_date',
  e164: 'not_a_phone',
  email: 'not_an_email',
  url: 'not_a_url',
};

function kindOf(issue: z.core.$ZodIssue, value: unknown): Kind {
  if (value === undefined || value === null || value === '') return { code: 'required' };
  switch (issue.code) {
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return { code: 'required' };
      return { code: SMALL[issue.origin] ?? 'too_small', limit: Number(issue.minimum) };
    case 'too_big':
      return { code: BIG[issue.origin] ?? 'too_large', limit: Number(issue.maximum) };
    case 'invalid_format':
      return { code: FORMATS[issue.format] ?? 'invalid' };
    case 'invalid_value':
      return { code: issue.values.length === 1 && issue.values[0] === true ? 'required' : 'invalid' };
    case 'custom':
      return { code: 'invalid', ...(issue.params as Kind | undefined) };
    default:
      return { code: 'invalid' };
  }
}

const SMALL: Readonly<Record<string, IssueCode>> = { string: 'too_short', array: 'too_few' };
const BIG: Readonly<Record<string, IssueCode>> = { string: 'too_long', array: 'too_many' };

/** What stands at a path of an untrusted value; undefined where the path leads nowhere. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return value;
}

function joined(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}
