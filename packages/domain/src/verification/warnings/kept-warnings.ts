import { z } from 'zod';
import type { VerificationRecord } from '../verification-record.ts';
import type { KeptWarnings } from '../verification-repository.ts';
import { kindOfWarning, type ReviewWarning, SEVERITIES, warningKey } from './review-warning.ts';

/** The version of the rules that warn, counted from 1. Raise it with each change of a rule: `countersign warnings recompute` then computes the warnings of waiting cases again. */
const WARNING_RULES_VERSION = 2;

/** A warning as it is kept: without values of answers and without other cases, which are compared again when the case is opened. */
export type KeptWarning = Readonly<Record<'code' | 'step' | 'path', string>>;

type Submission = Pick<VerificationRecord, 'submittedAt'>;

const schema = z.object({
  rules: z.literal(WARNING_RULES_VERSION),
  submittedAt: z.string(),
  list: z.array(z.object({ code: z.string(), step: z.string(), path: z.string() })),
});

/** Returns what is kept of warnings about the answers that were submitted at this moment, each key once. */
export function toKept(warnings: readonly ReviewWarning[], { submittedAt }: Submission): KeptWarnings {
  const list = new Map(warnings.map((warning) => [warningKey(warning), keptOf(warning)]));
  const found = warnings.map(({ code }) => kindOfWarning(code).severity);
  const severity = SEVERITIES.findLast((each) => found.includes(each)) ?? null;
  const about = { rules: WARNING_RULES_VERSION, submittedAt: momentOf(submittedAt) };
  return { warnings: { ...about, list: [...list.values()] }, severity };
}

/** Returns the warnings that are kept with a record; null if there are none of its last submission by the current rules. */
export function keptWarnings({
  warnings,
  submittedAt,
}: Submission & Pick<VerificationRecord, 'warnings'>): readonly KeptWarning[] | null {
  const kept = schema.safeParse(warnings).data;
  return kept !== undefined && kept.submittedAt === momentOf(submittedAt) ? kept.list : null;
}

function momentOf(submittedAt: Date | null): string | null {
  return submittedAt?.toISOString() ?? null;
}

function keptOf({ code, step, path }: ReviewWarning): KeptWarning {
  return { code, step, path };
}
