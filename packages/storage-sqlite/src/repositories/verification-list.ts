import type { SortField, VerificationQuery, VerificationRepository } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, count, desc, eq, sql } from '../drizzle.ts';
import { listedVerification } from '../rows/verification-row.ts';
import { verifications } from '../schema/index.ts';

const COLUMNS: Readonly<Record<SortField, SQLiteColumn>> = {
  requestedAt: verifications.requestedAt,
  resolvedAt: verifications.resolvedAt,
  status: verifications.status,
  type: verifications.type,
  subjectReference: verifications.subjectReference,
  currentStep: verifications.currentStep,
};

/** One statement for the page and one for the count, prepared at the first query of their shape (96 at most). */
export function createListVerifications({ db, readAtOnce }: Session): VerificationRepository['list'] {
  const prepared = new Map<string, ReturnType<typeof prepare>>();

  function prepare(query: VerificationQuery) {
    const matching = and(...conditions(query));
    return {
      page: db
        .select()
        .from(verifications)
        .where(matching)
        .orderBy(...order(query))
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset'))
        .prepare(),
      total: db.select({ count: count() }).from(verifications).where(matching).prepare(),
    };
  }

  return (clientId, query) =>
    readAtOnce(() => {
      const shape = shapeOf(query);
      const statements = prepared.get(shape) ?? prepare(query);
      prepared.set(shape, statements);
      const values = { ...query, clientId };
      return {
        records: statements.page.values(values).map(listedVerification),
        totalCount: statements.total.get(values)?.count ?? 0,
      };
    });
}

/** What two queries must share to share a statement: the filters in use and the order, not the values. */
function shapeOf({ status, type, subjectReference, sortBy, sortOrder }: VerificationQuery): string {
  const filters = [status, type, subjectReference].map((filter) => (filter === undefined ? '-' : '+'));
  return [...filters, sortBy, sortOrder].join();
}

function conditions({ status, type, subjectReference }: VerificationQuery): (SQL | undefined)[] {
  return [
    eq(verifications.clientId, parameter('clientId')),
    status === undefined ? undefined : eq(verifications.status, parameter('status')),
    type === undefined ? undefined : eq(verifications.type, parameter('type')),
    subjectReference === undefined ? undefined : eq(verifications.subjectReference, parameter('subjectReference')),
  ];
}

/** Text is compared by the bytes of its UTF-8, which is the order of code points. */
function order({ subjectReference, sortBy, sortOrder }: VerificationQuery): SQL[] {
  const direction = sortOrder === 'asc' ? asc : desc;
  // The plus keeps SQLite from reading all of the client's verifications in this order to find those of one subject.
  const column = subjectReference === undefined ? COLUMNS[sortBy] : sql`+${COLUMNS[sortBy]}`;
  // Only an ascending order must say so: for SQLite null is the smallest value.
  const nullsLast =
    sortBy === 'resolvedAt' && sortOrder === 'asc' ? sql`${asc(column)} nulls last` : direction(column);
  return [nullsLast, direction(verifications.id)];
}
