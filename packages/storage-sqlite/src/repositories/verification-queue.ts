import type { QueueQuery, Status, VerificationRepository } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import { parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, count, eq, inArray, isNull, sql } from '../drizzle.ts';
import { listedVerification } from '../rows/verification-row.ts';
import { verifications } from '../schema/index.ts';
import { WITHOUT_DOCUMENTS } from './verification-browse.ts';

/** One statement for the page and one for the count, prepared at the first query of their shape (24 at most). */
export function createQueue({ db, readAtOnce }: Session): VerificationRepository['queue'] {
  const prepared = new Map<string, ReturnType<typeof prepare>>();

  function prepare(query: QueueQuery) {
    const matching = and(...conditions(query));
    return {
      page: query.status === 'pending' ? pageOfPending(matching) : page(matching),
      total: db.select({ count: count() }).from(verifications).where(matching).prepare(),
    };
  }

  function page(matching: SQL | undefined) {
    return db
      .select(WITHOUT_DOCUMENTS)
      .from(verifications)
      .where(matching)
      .orderBy(sql`${asc(verifications.submittedAt)} nulls last`, asc(verifications.id))
      .limit(sql.placeholder('limit'))
      .offset(sql.placeholder('offset'))
      .prepare();
  }

  /**
   * Those were never submitted, and are not in the index of the queue. Their ids alone are sorted, from the index of
   * listings (the plus keeps SQLite from reading every row in the order of ids): of 100,000 in 50 ms and not in 1 s.
   */
  function pageOfPending(matching: SQL | undefined) {
    const ids = db
      .select({ id: verifications.id })
      .from(verifications)
      .where(matching)
      .orderBy(sql`+${verifications.id}`)
      .limit(sql.placeholder('limit'))
      .offset(sql.placeholder('offset'));
    return db
      .select(WITHOUT_DOCUMENTS)
      .from(verifications)
      .where(inArray(verifications.id, ids))
      .orderBy(asc(verifications.id))
      .prepare();
  }

  return (query) =>
    readAtOnce(() => {
      const shape = shapeOf(query);
      const statements = prepared.get(shape) ?? prepare(query);
      prepared.set(shape, statements);
      const values = { ...query };
      return {
        records: statements.page.values(values).map(listedVerification),
        totalCount: statements.total.get(values)?.count ?? 0,
      };
    });
}

/** What two queries must share to share a statement: the filters in use, not the values. */
function shapeOf({ status, type, clientId, claimedBy }: QueueQuery): string {
  const filters = [type, clientId].map((filter) => (filter === undefined ? '-' : '+'));
  return [status === 'pending', ...filters, claimedBy === undefined ? '-' : claimedBy === null].join();
}

function conditions({ status, type, clientId, claimedBy }: QueueQuery): (SQL | undefined)[] {
  return [
    eq(verifications.status, parameter('status')),
    // Says nothing new, except to the planner: that the index of the queue holds all of them.
    status === 'pending' ? undefined : sql`${verifications.status} <> 'pending'`,
    type === undefined ? undefined : eq(verifications.type, parameter('type')),
    clientId === undefined ? undefined : eq(verifications.clientId, parameter('clientId')),
    claimant(status, claimedBy),
  ];
}

function claimant(status: Status, claimedBy: string | null | undefined): SQL | undefined {
  if (claimedBy === undefined) return undefined;
  // A pending verification has no claim (a CHECK), so the index of listings suffices.
  if (status === 'pending') return claimedBy === null ? undefined : sql`false`;
  return claimedBy === null
    ? isNull(verifications.claimedBy)
    : eq(verifications.claimedBy, parameter('claimedBy'));
}
