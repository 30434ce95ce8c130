import { isIP } from 'node:net';
import { parseNetworks } from '@countersign/webhooks';
import { z } from 'zod';
import { SettingError } from './errors.ts';
import { fileVariableOf, readSecretFile, type SecretFile } from './secret-files.ts';

/** Environment variables as text, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Secret variables by their schemas. A list has its entries separated by commas, or by lines in a file. */
const secrets = z.registry<{ readonly isList: boolean }>();

/** Marks a variable as secret: it can also be read from the file that `<name>_FILE` names, and errors never quote it. */
export function secret<S extends z.ZodType>(schema: S, { isList = false }: { readonly isList?: boolean } = {}): S {
  secrets.add(schema, { isList });
  return schema;
}

/** Returns the names of the secret variables of a schema. */
export function secretVariablesOf(schema: z.ZodObject): readonly string[] {
  return Object.entries<z.ZodType>(schema.shape)
    .filter(([, each]) => secrets.has(each))
    .map(([name]) => name);
}

/**
 * Parses the variables of a schema. An empty variable counts as not set, because compose files and unit files can
 * write an unset variable only as an empty one.
 * @throws SettingError for the first invalid variable
 */
export function parse<S extends z.ZodObject>(schema: S, environment: Environment): z.output<S> {
  return parseWithFiles(schema, environment).values;
}

/**
 * Parses the variables of a schema, and returns the files that secrets were read from.
 * @throws SettingError for the first invalid variable
 */
export function parseWithFiles<S extends z.ZodObject>(
  schema: S,
  environment: Environment,
): { readonly values: z.output<S>; readonly secretFiles: readonly SecretFile[] } {
  const secretFiles: SecretFile[] = [];
  const given = Object.fromEntries(
    Object.entries(schema.shape).map(([name, each]) => {
      const value = environment[name] || undefined;
      const mark = secrets.get(each);
      const path = mark === undefined ? undefined : environment[fileVariableOf(name)] || undefined;
      if (mark === undefined || path === undefined) return [name, value];
      if (value !== undefined) {
        throw new SettingError(fileVariableOf(name), `is set, and so is ${name}: set only one of them`);
      }
      const { value: content, ...file } = readSecretFile(fileVariableOf(name), path, mark);
      secretFiles.push(file);
      return [name, content];
    }),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return { values: parsed.data, secretFiles };
  const [issue] = parsed.error.issues;
  const variable = String(issue?.path[0]);
  const isSecret = secretVariablesOf(schema).includes(variable);
  throw new SettingError(
    variable,
    `is ${isSecret ? 'invalid' : quoted(given[variable] ?? '')}: ${issue?.message}`,
  );
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
export function oneOf<const T extends readonly string[]>(words: T): z.ZodType<T[number]> {
  return z.enum(words, { error: `expected one of ${words.join(', ')}` });
}

/** Networks in CIDR notation, separated by commas. */
export const networks: z.ZodType<readonly string[]> = z.string().transform((text, context) => {
  try {
    return parseNetworks(text);
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
