import type { z } from 'zod';
import { SettingError } from './setting-error.ts';

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
