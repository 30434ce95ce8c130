import type { Issue } from '../errors.ts';
import type { Fields, TextField } from '../fields/field.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput, valueAt } from '../input/parse.ts';
import { DURATION_MAX_YEARS, type Duration, isAtLeast, parseDuration } from './duration.ts';

/** How a decided verification ended, as far as retention is concerned. `unfinished`: withdrawn, or expired. */
export const RETAINED_OUTCOMES = ['approved', 'rejected', 'unfinished'] as const;
/** How a verification ended, for its retention: one of `RETAINED_OUTCOMES`. */
export type RetainedOutcome = (typeof RETAINED_OUTCOMES)[number];

/** The periods of a policy, by name. Pages, settings, commands and audit entries are derived from this list. */
export const RETENTION_PERIODS = [
  /** An approved verification, from the end of the client's relationship with the subject. */
  'approvedAfterEnd',
  /** An approved verification, at most, from its decision. The legal obligation can last longer. */
  'approvedLongest',
  /** A verification that a reviewer rejected, from its decision. */
  'rejected',
  /** A verification that was withdrawn or expired, from that moment. */
  'unfinished',
  /** A replaced upload, from its replacement. */
  'replacedUploads',
] as const;
/** A period of a retention policy: one of `RETENTION_PERIODS`. */
export type RetentionPeriod = (typeof RETENTION_PERIODS)[number];

/** How long data is kept: an ISO 8601 duration (duration.ts) for each period. */
export type RetentionPolicy = { readonly [K in RetentionPeriod]: string };

/**
 * How long the law obliges the operator to keep data: an ISO 8601 duration by outcome. That of an approved verification counts
 * from the end of the relationship. No policy may be shorter.
 */
export type RetentionFloor = { readonly [K in RetainedOutcome]: string };

/** Keeps five years as Regulation (EU) 2024/1624 Art. 77 asks, and what never became a relationship for 90 days. */
export const DEFAULT_RETENTION: RetentionPolicy = {
  approvedAfterEnd: 'P5Y',
  approvedLongest: 'P10Y',
  rejected: 'P5Y',
  unfinished: 'P90D',
  replacedUploads: 'P30D',
};

/** The shortest allowed policy, unless the settings say otherwise, as ISO 8601 durations: five years for decided verifications. */
export const DEFAULT_RETENTION_FLOOR: RetentionFloor = { approved: 'P5Y', rejected: 'P5Y', unfinished: 'P0D' };

/** The floor of each period; none for replaced uploads, which the law does not oblige to keep. */
const FLOOR_OF: Readonly<Partial<Record<RetentionPeriod, RetainedOutcome>>> = {
  approvedAfterEnd: 'approved',
  approvedLongest: 'approved',
  rejected: 'rejected',
  unfinished: 'unfinished',
};

/** Returns the shortest time that a period of a policy may have by law; null if the law sets none. */
export function floorOf(period: RetentionPeriod, floor: RetentionFloor): string | null {
  const outcome = FLOOR_OF[period];
  return outcome === undefined ? null : floor[outcome];
}

/** Characters of the longest duration: `P100Y1200M5200W36500D`. */
const DURATION_MAX_CHARACTERS = 32;

const period: TextField = {
  kind: 'text',
  max: DURATION_MAX_CHARACTERS,
  check: {
    test: (text) => parseDuration(text) !== null,
    code: 'invalid',
    message: `must be a duration in ISO 8601 of whole years, months, weeks or days, at most ${DURATION_MAX_YEARS} years, such as P5Y or P90D`,
  },
};

/** Fields of a policy: one for each period. */
export const retentionPolicyFields: Fields<RetentionPolicy> = Object.fromEntries(
  RETENTION_PERIODS.map((name) => [name, period]),
) as { readonly [K in RetentionPeriod]: TextField };

const policySchema = typedSchemaOf<RetentionPolicy>(retentionPolicyFields);

/**
 * Parses a policy: no period is shorter than the floor, and the longest time is not shorter than the time after the end. Periods are
 * compared in the worst case (`isAtLeast`).
 * @throws CountersignError `INVALID_PARAMETERS`
 */
export function parseRetentionPolicy(input: unknown, floor: RetentionFloor): RetentionPolicy {
  return parseInput(policySchema(), input, (raw) => retentionIssues(raw, floor));
}

/** Finds the periods of a policy that are too short. Those that are no durations are left out. */
export function retentionIssues(input: unknown, floor: RetentionFloor): readonly Issue[] {
  const underFloor = periodsUnderFloor(input, floor).map(({ period: path, least }) => issueOf(path, least));
  const afterEnd = valueAt(input, ['approvedAfterEnd']);
  const isTooShort = typeof afterEnd === 'string' && isShorter(input, 'approvedLongest', afterEnd);
  const isNamed = underFloor.some(({ path }) => path === 'approvedLongest');
  return isTooShort && !isNamed ? [...underFloor, issueOf('approvedLongest', afterEnd)] : underFloor;
}

/** A period of a policy that is shorter than its floor. */
export interface PeriodUnderFloor {
  readonly period: RetentionPeriod;
  /** The floor: an ISO 8601 duration. */
  readonly least: string;
}

/**
 * Finds the periods of a policy that are shorter than the floor, such as those of a policy that was set before the floor was raised.
 * Those that are no durations are left out.
 */
export function periodsUnderFloor(policy: unknown, floor: RetentionFloor): readonly PeriodUnderFloor[] {
  return RETENTION_PERIODS.flatMap((name) => {
    const least = floorOf(name, floor);
    return least !== null && isShorter(policy, name, least) ? [{ period: name, least }] : [];
  });
}

function isShorter(policy: unknown, path: RetentionPeriod, least: string): boolean {
  const [given, bound] = [durationAt(valueAt(policy, [path])), parseDuration(least)];
  return given !== null && bound !== null && !isAtLeast(given, bound);
}

function issueOf(path: RetentionPeriod, least: string): Issue & { readonly path: RetentionPeriod } {
  return { path, message: `must be at least ${least}`, code: 'too_small' };
}

function durationAt(value: unknown): Duration | null {
  return typeof value === 'string' ? parseDuration(value.trim()) : null;
}
