import type { z } from 'zod';
import { type Issue, invalidParameters } from './errors.ts';

/** What a zod error says, in the domain's own terms: an unknown field is named by its own path. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ path: joined(issue.path), message: issue.message }];
    return issue.keys.map((key) => ({ path: joined([...issue.path, key]), message: 'is not a known field' }));
  });
}

function joined(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** Parses an untrusted value. @throws CountersignError `INVALID_PARAMETERS` with what is wrong, within `invalidParameters`' bounds. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalidParameters(issuesOf(parsed.error));
  return parsed.data;
}
