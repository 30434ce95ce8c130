import {
  DEFAULT_RETENTION,
  DEFAULT_RETENTION_FLOOR,
  DURATION_MAX_YEARS,
  isTimeZone,
  parseDuration,
  RETAINED_OUTCOMES,
  RETENTION_PERIODS,
  type RetentionRules,
  retentionIssues,
} from '@countersign/domain/retention';
import { z } from 'zod';
import { SettingError } from './errors.ts';
import { type Environment, parse } from './parse-environment.ts';

const TIME_ZONE = 'RETENTION_TIME_ZONE';
const policyVariable = (period: string): string => `RETENTION_${inCapitals(period)}`;
const floorVariable = (outcome: string): string => `RETENTION_FLOOR_${inCapitals(outcome)}`;

/** The variables of periods with their defaults, derived from the periods and outcomes of the domain. */
export const RETENTION_DEFAULTS: Readonly<Record<string, string>> = Object.fromEntries<string>([
  ...RETENTION_PERIODS.map((period) => [policyVariable(period), DEFAULT_RETENTION[period]] as const),
  ...RETAINED_OUTCOMES.map((outcome) => [floorVariable(outcome), DEFAULT_RETENTION_FLOOR[outcome]] as const),
]);

const duration = z
  .string()
  .refine(
    (text) => parseDuration(text) !== null,
    `expected an ISO 8601 duration of years, months, weeks or days up to ${DURATION_MAX_YEARS} years, such as P5Y or P90D`,
  );

const schema = z.object(
  Object.fromEntries(
    Object.entries(RETENTION_DEFAULTS).map(([variable, value]) => [variable, duration.default(value)]),
  ),
);

const timeZoneSchema = z.object({
  [TIME_ZONE]: z
    .string()
    .refine(isTimeZone, 'expected a name of the IANA time zone database, such as Europe/Berlin')
    .default('UTC'),
});

/**
 * Reads how long data is kept: the policy of clients without one of their own, and the floor that no policy undercuts.
 * @throws SettingError for a value that is no duration, or is shorter than another setting allows
 */
export function retentionSettings(environment: Environment): RetentionRules {
  const values = parse(schema, environment);
  const settingOf = (variable: string): string => values[variable] ?? '';
  const policy = valuesBy(RETENTION_PERIODS, (period) => settingOf(policyVariable(period)));
  const floor = valuesBy(RETAINED_OUTCOMES, (outcome) => settingOf(floorVariable(outcome)));
  const [issue] = retentionIssues(policy, floor);
  if (issue !== undefined) {
    const variable = policyVariable(issue.path);
    throw new SettingError(variable, `is ${JSON.stringify(settingOf(variable))}: ${issue.message}`);
  }
  return { policy, floor, timeZone: parse(timeZoneSchema, environment)[TIME_ZONE] };
}

/** `approvedAfterEnd` becomes `APPROVED_AFTER_END`. */
function inCapitals(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function valuesBy<Name extends string>(
  names: readonly Name[],
  read: (name: Name) => string,
): { [K in Name]: string } {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as { [K in Name]: string };
}

const CLEARING_HOUR = 'CLEAR_ERASED_SPACE_HOUR';
const OFF = 'off';

const clearingHourSchema = z.object({
  [CLEARING_HOUR]: z
    .string()
    .refine((text) => text === OFF || /^(?:1?\d|2[0-3])$/.test(text), 'expected an hour from 0 to 23, or off')
    .optional(),
});

/** When the fewest people work. */
const DEFAULT_HOUR = 3;

/**
 * Reads the hour of RETENTION_TIME_ZONE in which servers clear a large SQLite file of copies of erased values.
 * @returns undefined if operators clear it themselves, and on Postgres
 * @throws SettingError if the variable is set, but has no effect
 */
export function clearingHour(environment: Environment, database: 'sqlite' | 'postgres'): number | undefined {
  const text = parse(clearingHourSchema, environment)[CLEARING_HOUR];
  if (database === 'postgres') {
    if (text === undefined) return undefined;
    throw new SettingError(CLEARING_HOUR, 'is set, but DATABASE_URL is a PostgreSQL URL: unset it');
  }
  return text === OFF ? undefined : Number(text ?? DEFAULT_HOUR);
}
