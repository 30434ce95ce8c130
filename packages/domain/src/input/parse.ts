import type { z } from 'zod';
import { type Issue, type IssueCode, invalidParameters } from '../errors.ts';

/**
 * Parses an untrusted value.
 * @param check finds issues that the schema cannot express; of a field with both, the schema's are reported
 * @throws {@link CountersignError} `INVALID_PARAMETERS` with the issues, within the bounds of `invalidParameters`
 */
export function parseInput<T>(
  schema: z.ZodType<T>,
  input: unknown,
  check: (input: unknown) => readonly Issue[] = () => [],
): T {
  const parsed = schema.safeParse(input);
  const issues = parsed.success ? [] : issuesOf(parsed.error, input);
  const known = new Set(issues.map(({ path }) => path));
  const all = [...issues, ...check(input).filter(({ path }) => !known.has(path))];
  if (!parsed.success || all.length > 0) throw invalidParameters(all);
  return parsed.data;
}

/** Converts the issues of zod to the domain's: a code, a limit and a text of our own. Each unknown field has its own issue. */
export function issuesOf(error: z.ZodError, input: unknown): Issue[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      const value = valueAt(input, issue.path);
      return [{ path: joined(issue.path), ...problemOf(issue, value) }];
    }
    const unknown = { message: 'is not a known field', code: 'unknown_field' } as const;
    return issue.keys.map((key) => ({ path: joined([...issue.path, key]), ...unknown }));
  });
}

type Problem = Omit<Issue, 'path'>;

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

const WRONG_TYPE = 'has the wrong type';
const INVALID = 'is invalid';
const SAYS_LITTLE: ReadonlySet<string> = new Set([WRONG_TYPE, INVALID]);

/** Units of a bound, by what it limits. A bound without a unit limits the value itself. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

const SMALL: Readonly<Record<string, IssueCode>> = { string: 'too_short', array: 'too_few' };
const BIG: Readonly<Record<string, IssueCode>> = { string: 'too_long', array: 'too_many' };

/** Returns the code, the limit and the message of an issue. The message follows the field's name: `must be at most 100`. */
function problemOf(issue: z.core.$ZodIssue, value: unknown): Problem {
  if (value !== undefined && value !== null && value !== '') return problemOfValue(issue);
  if (value === undefined && issue.code !== 'custom') return { message: 'is required', code: 'required' };
  const { message } = problemOfValue(issue);
  // An optional field may be omitted, so null is not a missing value but one of a wrong type.
  return { message: value === null && SAYS_LITTLE.has(message) ? 'must not be null' : message, code: 'required' };
}

function problemOfValue(issue: z.core.$ZodIssue): Problem {
  switch (issue.code) {
    // Rules of ours bring their own message, code and limit.
    case 'custom':
      return { message: issue.message, code: 'invalid', ...(issue.params as Partial<Problem> | undefined) };
    case 'too_small': {
      const { origin, minimum } = issue;
      if (origin === 'string' && minimum === 1) return { message: 'must not be empty', code: 'required' };
      const code = SMALL[origin] ?? 'too_small';
      return { message: bound('least', origin, minimum), code, limit: Number(minimum) };
    }
    case 'too_big': {
      const { origin, maximum } = issue;
      return { message: bound('most', origin, maximum), code: BIG[origin] ?? 'too_large', limit: Number(maximum) };
    }
    case 'invalid_format': {
      const [code, message] = FORMATS[issue.format] ?? ['invalid', 'has an invalid format'];
      return { message, code };
    }
    case 'invalid_value':
      return { message: oneOf(issue.values.map(String)), code: isMissingConsent(issue) ? 'required' : 'invalid' };
    case 'invalid_type':
      return { message: TYPES[issue.expected] ?? WRONG_TYPE, code: 'invalid' };
    default:
      return { message: INVALID, code: 'invalid' };
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

/** Whether a statement that can only be `true` was left unconfirmed. */
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
