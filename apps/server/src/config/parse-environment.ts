import { isIP } from 'node:net';
import { z } from 'zod';
import { SettingError } from './errors.ts';

/** The environment as it comes: names and texts. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables that a schema names. An empty one counts as not set: that is how compose files and unit files
 * write "nothing".
 * @throws SettingError for the first one that is wrong
 */
export function parse<S extends z.ZodObject>(schema: S, environment: Environment): z.output<S> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, environment[name] || undefined]),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const variable = String(issue?.path[0]);
  throw new SettingError(variable, `is ${quoted(given[variable] ?? '')}: ${issue?.message}`);
}

/** On one line, not too long, and without what may be a password. */
function quoted(value: string): string {
  return JSON.stringify(value.replace(/\/\/.*@/, '//…@').slice(0, 100));
}

// How the text of a variable becomes a value. Every message says what is expected; who reports it puts the
// variable's name and its value in front.

/** A whole number in decimal digits. */
export function wholeNumber(from: number, to: number): z.ZodType<number> {
  const expected = `expected a whole number from ${from} to ${to}`;
  return z
    .string({ error: expected })
    .regex(/^\d{1,10}$/, expected)
    .transform(Number)
    .refine((value) => value >= from && value <= to, expected);
}

/** One of some words, in lower case. */
export function oneOf<const T extends readonly [string, ...string[]]>(words: T): z.ZodType<T[number]> {
  return z.enum(words, { error: `expected one of ${words.join(', ')}` });
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

/** An address to listen on: IPv4, IPv6 without brackets, or a name. */
export const listenHost: z.ZodType<string> = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || (HOST_NAME.test(text) && !/^[\d.]+$/.test(text)),
    'expected an IP address or a host name, without a port',
  );

/** Where subjects reach the service. A path is allowed, for a proxy that serves it below one. */
export const baseUrl: z.ZodType<string> = z
  .string()
  .refine(isBaseUrl, 'expected an address such as https://verify.example, without a slash at the end');

function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]+)?$/i.test(text) || text.endsWith('/')) return false;
  return URL.canParse(text);
}
