import type { z } from 'zod';
import { type Issue, type IssueCode, invalidParameters } from './errors.ts';

/**
 * Parses an untrusted value.
 * @throws {@link CountersignError} `INVALID_PARAMETERS` with the issues, within the bounds of `invalidParameters`
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalidParameters(issuesOf(parsed.error, input));
  return parsed.data;
}

/** Converts the issues of zod to the domain's: a code, a limit and a text of our own. Each unknown field has its own issue. */
export function issuesOf(error: z.ZodError, input: unknown): Issue[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      const value = valueAt(input, issue.path);
      return [{ path: joined(issue.path), message: messageOf(issue, value), ...kindOf(issue, value) }];
    }
    const unknown = { message: 'is not a known field', code: 'unknown_field' } as const;
    return issue.keys.map((key) => ({ path: joined([...issue.path, key]), ...unknown }));
  });
}

type Kind = Pick<Issue, 'code' | 'limit'>;

/** Formats of text: the code of the issue, and the text that follows the name of the field. */
const FORMATS: Readonly<Record<string, readonly [code: IssueCode, message: string]>> = {
  date: ['not_a_date', 'must be a date that exists, written YYYY-MM-DD'],
  datetime: ['invalid', 'must be a date and time in ISO 8601'],
  e164: ['not_a_phone', 'must be a phone number in E.164, such as +4930123456'],
  email: ['not_an_email', 'must be an e-mail address'],
  guid: ['invalid', 'must be a UUID'],
  url: ['not_a_url', 'must be a URL'],
  uuid: ['invalid', 'must be a UUID'],
};

/** What zod calls a type, as the text that follows the name of the field. */
const TYPES: Readonly<Record<string, string>> = {
  array: 'must be an array',
  boolean: 'must be true or false',
  date: 'must be a date',
  int: 'must be a whole number',
  number: 'must be a number',
  object: 'must be an object',
  record: 'must be an object',
  string: 'must be a string',
};

/** Units of a bound, by what it limits. A bound without a unit limits the value itself. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

const SMALL: Readonly<Record<string, IssueCode>> = { string: 'too_short', array: 'too_few' };
const BIG: Readonly<Record<string, IssueCode>> = { string: 'too_long', array: 'too_many' };

function kindOf(issue: z.core.$ZodIssue, value: unknown): Kind {
  if (value === undefined || value === null || value === '') return { code: 'required' };
  switch (issue.code) {
    case 'too_small':
      if (isEmptyText(issue)) return { code: 'required' };
      return { code: SMALL[issue.origin] ?? 'too_small', limit: Number(issue.minimum) };
    case 'too_big':
      return { code: BIG[issue.origin] ?? 'too_large', limit: Number(issue.maximum) };
    case 'invalid_format':
      return { code: FORMATS[issue.format]?.[0] ?? 'invalid' };
    case 'invalid_value':
      return { code: isMissingConsent(issue) ? 'required' : 'invalid' };
    case 'custom':
      return { code: 'invalid', ...(issue.params as Kind | undefined) };
    default:
      return { code: 'invalid' };
  }
}

/** Returns what is wrong, to be read after the name of the field: `must be at most 100`. */
function messageOf(issue: z.core.$ZodIssue, value: unknown): string {
  // Written by us, beside the rule.
  if (issue.code === 'custom') return issue.message;
  if (value === undefined || value === null) return 'is required';
  switch (issue.code) {
    case 'too_small':
      return isEmptyText(issue) ? 'must not be empty' : bound('least', issue.origin, issue.minimum);
    case 'too_big':
      return bound('most', issue.origin, issue.maximum);
    case 'invalid_format':
      return FORMATS[issue.format]?.[1] ?? 'has an invalid format';
    case 'invalid_value':
      return oneOf(issue.values.map(String));
    case 'invalid_type':
      return TYPES[issue.expected] ?? 'has the wrong type';
    default:
      return 'is invalid';
  }
}

function bound(which: 'least' | 'most', origin: string, limit: number | bigint): string {
  const units = UNITS[origin];
  if (units === undefined) return `must be at ${which} ${limit}`;
  return `must have at ${which} ${limit} ${Number(limit) === 1 ? units[0] : units[1]}`;
}

function oneOf(values: readonly string[]): string {
  return values.length > 2 ? `must be one of ${values.join(', ')}` : `must be ${values.join(' or ')}`;
}

function isEmptyText({ origin, minimum }: z.core.$ZodIssueTooSmall): boolean {
  return origin === 'string' && minimum === 1;
}

/** A statement that must be true was not made. */
function isMissingConsent({ values }: z.core.$ZodIssueInvalidValue): boolean {
  return values.length === 1 && values[0] === true;
}

/** Returns the value at a path of an untrusted value; undefined where the path leads nowhere. */
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
