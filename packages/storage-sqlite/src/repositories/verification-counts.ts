import { STATUSES, type Status, SUBJECT_TYPES } from '@countersign/domain';
import {
  type CountDifference,
  type CounterRepository,
  compareCounts,
  DAY_MS,
  parseEnum,
  parseRow,
  presentCounts,
  statusCounts,
  type VerificationCounts,
  type VerificationRepository,
  withoutNegatives,
} from '@countersign/domain/storage';
import { insertInto, list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { type Compiled, compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { verificationCounts, verifications } from '../schema.ts';
import type { RunLongRead } from './long-read-kinds.ts';

type Row = Readonly<Record<Status, number>> & { readonly day: number; readonly type: string };

const ALL_DAYS = { from: Number.MIN_SAFE_INTEGER, until: Number.MAX_SAFE_INTEGER };

/** Compiles the statement that reads the counts of a client. */
function keptCounts({ connection }: Pick<Session, 'connection'>): Compiled<Row> {
  const { clientId, day } = verificationCounts;
  return compileRows(
    connection,
    sql`select ${fieldsOf(verificationCounts)} from ${verificationCounts}
      where ${clientId} = ${parameter('clientId')} and ${day} >= ${parameter('from')} and ${day} < ${parameter('until')}`,
  );
}

/** Creates `differences`, which runs inside the caller's transaction and reads all verifications of the client. */
export function createCompareCounts(
  session: Pick<Session, 'connection'>,
): (clientId: string) => readonly CountDifference[] {
  const kept = keptCounts(session);
  const counted = compileRows<Row>(
    session.connection,
    sql`select ${fieldsOf({ day: DAY_OF_REQUEST, type: verifications.type, ...byStatus(numberOf) })}
      from ${verifications} where ${verifications.clientId} = ${parameter('clientId')}
      group by ${DAY_OF_REQUEST}, ${verifications.type}`,
  );
  return (clientId) =>
    compareCounts(
      clientId,
      kept.all({ clientId, ...ALL_DAYS }).map(fromRow),
      counted.all({ clientId }).map(fromRow),
    );
}

/** Reads the counts that triggers keep. */
export function createCounts(session: Session): Pick<VerificationRepository, 'counts' | 'countByStatus'> {
  const { connection, read } = session;
  const kept = keptCounts(session);
  const sums = compileRows<Record<Status, number>>(
    connection,
    sql`select ${fieldsOf(byStatus((status) => sql`coalesce(sum(${verificationCounts[status]}), 0)`))}
      from ${verificationCounts}`,
  );

  return {
    counts: (clientId, days = ALL_DAYS) => read(() => presentCounts(kept.all({ clientId, ...days }).map(fromRow))),

    countByStatus: () => read(() => withoutNegatives(statusCounts(Object.entries(sums.get() ?? {})))),
  };
}

/** Compares and corrects the counts that triggers keep. */
export function createCounterRepository(
  { connection, readApart, write }: Session,
  runApart: RunLongRead,
): CounterRepository {
  const { clientId, type, requestedAt } = verifications;
  const countedOnDay = compileRows<Record<Status, number>>(
    connection,
    sql`select ${fieldsOf(byStatus(numberOf))} from ${verifications}
      where ${clientId} = ${parameter('clientId')} and ${type} = ${parameter('type')}
        and ${requestedAt} >= ${parameter('from')} and ${requestedAt} < ${parameter('until')}`,
  );
  const replace = compile(
    connection,
    sql`${insertInto(verificationCounts)} on conflict (client_id, day, type)
      do update set ${list(STATUSES.map((status) => sql`${sql.identifier(status)} = excluded.${sql.identifier(status)}`))}`,
  );

  return {
    differences: (clientId) => readApart(() => runApart('differingCounts', clientId)),

    recount: (key) =>
      write(() => {
        const from = key.day * DAY_MS;
        replace.run({ ...key, ...countedOnDay.get({ ...key, from, until: from + DAY_MS }) });
        return { keep: true, value: undefined };
      }),
  };
}

/** As the triggers compute it: SQLite's division rounds towards zero. */
const DAY_OF_REQUEST: SQL = sql`${verifications.requestedAt} / ${sql.raw(String(DAY_MS))} - (${verifications.requestedAt} % ${sql.raw(String(DAY_MS))} < 0)`;

const numberOf = (status: Status): SQL => sql`count(*) filter (where ${verifications.status} = ${status})`;

function byStatus<T>(of: (status: Status) => T): Record<Status, T> {
  return Object.fromEntries(STATUSES.map((status) => [status, of(status)])) as Record<Status, T>;
}

function fromRow({ day, type, ...counts }: Row): VerificationCounts {
  return parseRow('counts of day', String(day), () => ({
    day,
    type: parseEnum('type', SUBJECT_TYPES, type),
    counts: statusCounts(STATUSES.map((status) => [status, counts[status]])),
  }));
}
