import { isIP } from 'node:net';
import { parseNetworks } from '@countersign/webhooks';
import { z } from 'zod';
import { SettingError } from './errors.ts';

/** Environment variables as text, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the variables of a schema. An empty variable counts as not set, because compose files and unit files can
 * write an unset variable only as an empty one.
 * @throws SettingError for the first invalid variable
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

/** Quotes a value on one line, shortened and without a URL's user and password. */
function quoted(value: string): string {
  return JSON.stringify(value.replace(/\/\/.*@/, '//…@').slice(0, 100));
}

// Schemas of single variables. Their messages say what is expected; `parse` puts the variable's name and value before.

/** A whole number in decimal digits. */
export function wholeNumber(from: number, to: number): z.ZodType<number> {
  const expected = `expected a whole number from ${from} to ${to}`;
  return z
    .string({ error: expected })
    .regex(/^\d{1,10}$/, expected)
    .transform(Number)
    .refine((value) => value >= from && value <= to, expected);
}

/** One of the given words, in lower case. */
export function oneOf<const T extends readonly [string, ...string[]]>(words: T): z.ZodType<T[number]> {
  return z.enum(words, { error: `expected one of ${words.join(', ')}` });
}

/** Networks in CIDR notation, separated by commas. */
export const networks: z.ZodType<readonly string[]> = z.string().transform((text, context) => {
  try {
    parseNetworks(text);
    return text.split(',').map((network) => network.trim());
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'not networks' });
    return z.NEVER;
  }
});

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

/** An address to listen on: an IPv4 address, an IPv6 address without brackets, or a host name. */
export const listenHost: z.ZodType<string> = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || (HOST_NAME.test(text) && !/^[\d.]+$/.test(text)),
    'expected an IP address or a host name, without a port',
  );

/** The public address of the service. May have a path, for a proxy that serves the service below it. */
export const baseUrl: z.ZodType<string> = z
  .string()
  .refine(isBaseUrl, 'expected a URL such as https://verify.example, without a slash at the end');

function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]+)?$/i.test(text) || text.endsWith('/')) return false;
  return URL.canParse(text);
}
