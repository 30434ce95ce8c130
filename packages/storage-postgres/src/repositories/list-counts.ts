import { STATUSES, SUBJECT_TYPES } from '@countersign/domain';
import type { DayCount, VerificationGroup } from '@countersign/domain/storage';
import { list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { parseInteger, parseJsonArray, parseText } from '../rows/parse-row.ts';
import { verificationCounts } from '../schema.ts';

const { clientId, day, type } = verificationCounts;
const COLUMNS = list(STATUSES.map((status) => sql`${verificationCounts[status]}`));
const SUMS = list(STATUSES.map((status) => sql`sum(${verificationCounts[status]})`));
const OF_CLIENT = sql`from ${verificationCounts} where ${clientId} = ${parameter('clientId')}`;

/** The counts of a client by type and status, as one value: a page that has it was read at the same moment. */
export const TOTALS: SQL = sql`
  (select coalesce(json_agg(total), '[]')::text
   from (select json_build_array(${type}, ${SUMS}) as total ${OF_CLIENT} group by ${type} order by ${type}) as totals)`;

/** The same by day, too: hundreds of lines. */
const DAYS: SQL = sql`
  (select coalesce(json_agg(json_build_array(${type}, ${COLUMNS}, ${day}) order by ${day}, ${type}), '[]')::text ${OF_CLIENT})`;

/** Stands for the counts by day. */
export const DAYS_DIGEST: SQL = sql`md5(${DAYS})`;

export const READ_TOTALS: Statement = statementOf(sql`select ${TOTALS}`);
export const READ_DAYS: Statement = statementOf(
  sql`select days.value, md5(days.value) from (select ${DAYS} as value) as days`,
);

type Line = readonly unknown[];

/** Returns all groups of a client. */
export function groupsFrom(text: unknown): VerificationGroup[] {
  const lines = linesOf(text);
  return SUBJECT_TYPES.flatMap((type) =>
    STATUSES.map((status) => {
      const ofType = lines.filter(([one]) => one === type);
      return { status, type, count: ofType.reduce((sum, line) => sum + countIn(line, status), 0) };
    }),
  );
}

/** Returns the counts of some groups by day. */
export function daysFrom(text: unknown, groups: readonly VerificationGroup[]): DayCount[] {
  return linesOf(text).flatMap((line) =>
    groups
      .filter(({ type }) => type === line[0])
      .map(({ status }) => ({ day: parseInteger('day', line.at(-1)), count: countIn(line, status) })),
  );
}

function linesOf(text: unknown): Line[] {
  return parseJsonArray('counts', JSON.parse(parseText('counts', text))) as Line[];
}

function countIn(line: Line, status: (typeof STATUSES)[number]): number {
  return parseInteger(status, line[STATUSES.indexOf(status) + 1]);
}
