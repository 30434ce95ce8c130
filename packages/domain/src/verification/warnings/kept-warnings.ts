import type { JsonObject } from '../../input/json.ts';
import type { VerificationRecord } from '../verification-record.ts';
import { kindOfWarning, type ReviewWarning, SEVERITIES, warningKey } from './review-warning.ts';

/** The version of the rules that warn, counted from 1. Raise it with each change of a rule: `countersign warnings recompute` keeps the warnings of waiting cases again then. */
const WARNING_RULES_VERSION = 1;

/** A warning as it is kept: without values of answers and without other cases, which are compared again when the case is opened. */
export type KeptWarning = Pick<ReviewWarning, 'code' | 'step' | 'path'>;

interface KeptWarnings {
  readonly rules: number;
  readonly list: readonly KeptWarning[];
}

/** Returns what is kept of warnings, each key once. */
export function toKept(warnings: readonly ReviewWarning[]): Pick<VerificationRecord, 'severity'> & {
  readonly warnings: JsonObject;
} {
  const list = new Map(warnings.map((warning) => [warningKey(warning), keptOf(warning)]));
  const kept: KeptWarnings = { rules: WARNING_RULES_VERSION, list: [...list.values()] };
  const found = warnings.map(({ code }) => kindOfWarning(code).severity);
  const severity = SEVERITIES.findLast((each) => found.includes(each)) ?? null;
  return { warnings: kept as unknown as JsonObject, severity };
}

/** Returns the warnings that are kept with a record; null if there are none by the current rules. */
export function keptWarnings({ warnings }: Pick<VerificationRecord, 'warnings'>): readonly KeptWarning[] | null {
  const kept = warnings as unknown as KeptWarnings | null;
  return kept?.rules === WARNING_RULES_VERSION ? kept.list : null;
}

function keptOf({ code, step, path }: ReviewWarning): KeptWarning {
  return { code, step, path };
}
