import { STATUSES, type Status, SUBJECT_TYPES } from '@countersign/domain';
import {
  type CountDifference,
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
import type { SQL } from 'drizzle-orm';
import { parameter, prepared } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, eq, getTableColumns, gte, lt, sql } from '../drizzle.ts';
import { verificationCounts, verifications } from '../schema.ts';
import type { RunLongRead } from './long-read-kinds.ts';

type Row = Readonly<Record<Status, number>> & { readonly day: number; readonly type: string };

const ALL_DAYS = { from: Number.MIN_SAFE_INTEGER, until: Number.MAX_SAFE_INTEGER };

/** Prepares the statement that reads the counts of a client. */
function keptCounts({ db }: Pick<Session, 'db'>) {
  return prepared(
    db
      .select(getTableColumns(verificationCounts))
      .from(verificationCounts)
      .where(
        and(
          eq(verificationCounts.clientId, parameter('clientId')),
          gte(verificationCounts.day, parameter('from')),
          lt(verificationCounts.day, parameter('until')),
        ),
      ),
  );
}

/** Creates `differingCounts`, which runs inside the caller's transaction and reads all verifications of the client. */
export function createCompareCounts(
  session: Pick<Session, 'db'>,
): (clientId: string) => readonly CountDifference[] {
  const kept = keptCounts(session);
  const counted = prepared(
    session.db
      .select({ day: DAY_OF_REQUEST, type: verifications.type, ...byStatus(numberOf) })
      .from(verifications)
      .where(eq(verifications.clientId, parameter('clientId')))
      .groupBy(DAY_OF_REQUEST, verifications.type),
  );
  return (clientId) =>
    compareCounts(
      clientId,
      kept.all({ clientId, ...ALL_DAYS }).map(fromRow),
      counted.all({ clientId }).map(fromRow),
    );
}

/** Reads, compares and mends the counts that triggers keep. */
export function createCounts(
  session: Session,
  runApart: RunLongRead,
): Pick<VerificationRepository, 'counts' | 'countByStatus' | 'differingCounts' | 'recount'> {
  const { db, read, readApart, write } = session;
  const kept = keptCounts(session);
  const sums = prepared(
    db
      .select(byStatus((status) => sql<number>`coalesce(sum(${verificationCounts[status]}), 0)`))
      .from(verificationCounts),
  );
  const countedOnDay = prepared(
    db
      .select(byStatus(numberOf))
      .from(verifications)
      .where(
        and(
          eq(verifications.clientId, parameter('clientId')),
          eq(verifications.type, parameter('type')),
          gte(verifications.requestedAt, parameter('from')),
          lt(verifications.requestedAt, parameter('until')),
        ),
      ),
  );
  const replace = (key: typeof verificationCounts.$inferInsert) =>
    db
      .insert(verificationCounts)
      .values(key)
      .onConflictDoUpdate({
        target: [verificationCounts.clientId, verificationCounts.day, verificationCounts.type],
        set: byStatus((status) => sql`excluded.${sql.identifier(status)}`),
      })
      .run();

  return {
    counts: (clientId, days = ALL_DAYS) => read(() => presentCounts(kept.all({ clientId, ...days }).map(fromRow))),

    countByStatus: () => read(() => withoutNegatives(statusCounts(Object.entries(sums.get() ?? {})))),

    differingCounts: (clientId) => readApart(() => runApart('differingCounts', clientId)),

    recount: (key) =>
      write(() => {
        const from = key.day * DAY_MS;
        replace({ ...key, ...countedOnDay.get({ ...key, from, until: from + DAY_MS }) });
        return { keep: true, value: undefined };
      }),
  };
}

/** As the triggers compute it: SQLite's division rounds towards zero. */
const DAY_OF_REQUEST: SQL<number> = sql`${verifications.requestedAt} / ${sql.raw(String(DAY_MS))} - (${verifications.requestedAt} % ${sql.raw(String(DAY_MS))} < 0)`;

const numberOf = (status: Status): SQL<number> => sql`count(*) filter (where ${verifications.status} = ${status})`;

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
