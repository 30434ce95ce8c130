import { z } from 'zod';
import type { JsonObject } from '../../input/json.ts';
import type { VerificationRecord } from '../verification-record.ts';
import { kindOfWarning, type ReviewWarning, SEVERITIES, warningKey } from './review-warning.ts';

/** The version of the rules that warn, counted from 1. Raise it with each change of a rule: `countersign warnings recompute` then computes the warnings of waiting cases again. */
const WARNING_RULES_VERSION = 1;

/** A warning as it is kept: without values of answers and without other cases, which are compared again when the case is opened. */
export type KeptWarning = Readonly<Record<'code' | 'step' | 'path', string>>;

const schema = z.object({
  rules: z.literal(WARNING_RULES_VERSION),
  list: z.array(z.object({ code: z.string(), step: z.string(), path: z.string() })),
});

/** Returns what is kept of warnings, each key once. */
export function toKept(warnings: readonly ReviewWarning[]): Pick<VerificationRecord, 'severity'> & {
  readonly warnings: JsonObject;
} {
  const list = new Map(warnings.map((warning) => [warningKey(warning), keptOf(warning)]));
  const found = warnings.map(({ code }) => kindOfWarning(code).severity);
  const severity = SEVERITIES.findLast((each) => found.includes(each)) ?? null;
  return { warnings: { rules: WARNING_RULES_VERSION, list: [...list.values()] }, severity };
}

/** Returns the warnings that are kept with a record; null if there are none by the current rules. */
export function keptWarnings({ warnings }: Pick<VerificationRecord, 'warnings'>): readonly KeptWarning[] | null {
  return schema.safeParse(warnings).data?.list ?? null;
}

function keptOf({ code, step, path }: ReviewWarning): KeptWarning {
  return { code, step, path };
}
