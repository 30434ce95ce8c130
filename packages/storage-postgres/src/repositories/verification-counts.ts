import { STATUSES, type Status, SUBJECT_TYPES } from '@countersign/domain';
import {
  type CounterRepository,
  compareCounts,
  parseEnum,
  parseRow,
  presentCounts,
  statusCounts,
  type VerificationCounts,
  type VerificationRepository,
  withoutNegatives,
} from '@countersign/domain/storage';
import { list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, parseInteger, type Row } from '../rows/parse-row.ts';
import { verificationCounts, verifications } from '../schema.ts';

/** Reads the counts that triggers keep. */
export function createCounts({ read }: Session): Pick<VerificationRepository, 'counts' | 'countByStatus'> {
  return {
    async counts(clientId, days = ALL_DAYS) {
      if (!areIds(clientId)) return [];
      return presentCounts((await read(COUNTS, { clientId, ...days })).map(fromRow));
    },

    async countByStatus() {
      const [row = []] = await read(SUMS, {});
      return withoutNegatives(statusCounts(byStatus(row)));
    },
  };
}

/** Compares and corrects the counts that triggers keep. */
export function createCounterRepository({ read, write }: Session): CounterRepository {
  return {
    async differences(clientId) {
      if (!areIds(clientId)) return [];
      const rows = await read(KEPT_AND_COUNTED, { clientId, ...ALL_DAYS });
      const [kept, counted] = [true, false].map((isKept) =>
        rows.filter((row) => row.at(-1) === isKept).map(fromRow),
      );
      return compareCounts(clientId, kept ?? [], counted ?? []);
    },

    async recount(key) {
      if (areIds(key.clientId)) await write(RECOUNT, { ...key });
    },
  };
}

const ALL_DAYS = { from: -(2 ** 31), until: 2 ** 31 - 1 };

const listed = (of: (status: Status) => SQL): SQL => list(STATUSES.map(of));

const KEPT = (extra: SQL): SQL => sql`
  select ${verificationCounts.day}, ${verificationCounts.type}, ${listed((status) => sql`${verificationCounts[status]}`)}${extra}
  from ${verificationCounts} where ${verificationCounts.clientId} = ${parameter('clientId')}
    and ${verificationCounts.day} >= ${parameter('from')} and ${verificationCounts.day} < ${parameter('until')}`;

const COUNTS: Statement = statementOf(KEPT(sql``));

const SUMS: Statement = statementOf(
  sql`select ${listed((status) => sql`coalesce(sum(${verificationCounts[status]}), 0)`)} from ${verificationCounts}`,
);

/** One statement sees one moment. */
const KEPT_AND_COUNTED: Statement = statementOf(sql`
  ${KEPT(sql`, true as is_kept`)}
  union all
  select (${verifications.requestedAt} at time zone 'UTC')::date - date '1970-01-01' as day, ${verifications.type},
    ${listed((status) => sql`count(*) filter (where ${verifications.status} = ${sql.raw(`'${status}'`)})`)}, false
  from ${verifications} where ${verifications.clientId} = ${parameter('clientId')} group by day, ${verifications.type}`);

const RECOUNT: Statement = statementOf(
  sql`select mend_verification_counts(${parameter('clientId')}, ${parameter('day')}, ${parameter('type')})`,
);

function byStatus(columns: Row): [Status, number][] {
  return STATUSES.map((status, index) => [status, parseInteger(status, Number(columns[index]))]);
}

function fromRow([day, type, ...columns]: Row): VerificationCounts {
  return parseRow('counts of day', String(day), () => ({
    day: parseInteger('day', day),
    type: parseEnum('type', SUBJECT_TYPES, type),
    counts: statusCounts(byStatus(columns)),
  }));
}
