import type { SortField } from '@countersign/domain';
import type { RecordPage, VerificationQuery } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, count, desc, eq, getTableColumns, sql } from '../drizzle.ts';
import { listedVerification } from '../rows/rows.ts';
import { verifications } from '../schema.ts';

/** Columns in the order of the table. Lists for people show neither answers nor reviewData, which are most of a row. */
export const WITHOUT_DOCUMENTS = { ...getTableColumns(verifications), answers: sql`'{}'`, reviewData: sql`'{}'` };

const COLUMNS: Readonly<Record<SortField, SQLiteColumn>> = {
  requestedAt: verifications.requestedAt,
  resolvedAt: verifications.resolvedAt,
  status: verifications.status,
  type: verifications.type,
  subjectReference: verifications.subjectReference,
  currentStep: verifications.currentStep,
};

interface Statements {
  readonly page: { values(given: Record<string, unknown>): unknown[][] };
  readonly total: { get(given: Record<string, unknown>): { count: number } | undefined };
}

type PageReader<Query> = (query: Query, values: Record<string, unknown>) => Promise<RecordPage>;

/**
 * Reads pages with one statement for the records and one for the total, prepared at the first query of their shape:
 * queries of one shape have the same filters and order, with other values.
 */
function readPages<Query>(
  { readPage }: Session,
  { shapeOf, prepare }: { shapeOf(query: Query): string; prepare(query: Query): Statements },
): PageReader<Query> {
  const prepared = new Map<string, Statements>();
  return (query, values) =>
    readPage(() => {
      const shape = shapeOf(query);
      const statements = prepared.get(shape) ?? prepare(query);
      prepared.set(shape, statements);
      return {
        records: statements.page.values(values).map(listedVerification),
        totalCount: statements.total.get(values)?.count ?? 0,
      };
    });
}

const isUsed = (filter: unknown): string => (filter === undefined ? '-' : '+');

/** Reads pages of one subject: those are found by its reference and sorted. Has up to 48 shapes. */
export function createSubjectPages(session: Session): PageReader<VerificationQuery> {
  const { db } = session;
  return readPages<VerificationQuery>(session, {
    shapeOf: ({ status, type, sortBy, sortOrder }) => [isUsed(status), isUsed(type), sortBy, sortOrder].join(),
    prepare(query) {
      const matching = and(...listConditions(query));
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
    },
  });
}

function listConditions({ status, type }: VerificationQuery): (SQL | undefined)[] {
  return [
    eq(verifications.clientId, parameter('clientId')),
    status === undefined ? undefined : eq(verifications.status, parameter('status')),
    type === undefined ? undefined : eq(verifications.type, parameter('type')),
    eq(verifications.subjectReference, parameter('subjectReference')),
  ];
}

/** SQLite compares text by the bytes of its UTF-8, which is the order of code points. */
function order({ sortBy, sortOrder }: VerificationQuery): SQL[] {
  const direction = sortOrder === 'asc' ? asc : desc;
  // The plus keeps SQLite from reading all of the client's verifications in this order.
  const column = sql`+${COLUMNS[sortBy]}`;
  // Only an ascending order must say so: for SQLite null is the smallest value.
  const nullsLast =
    sortBy === 'resolvedAt' && sortOrder === 'asc' ? sql`${asc(column)} nulls last` : direction(column);
  return [nullsLast, direction(verifications.requestedAt), direction(verifications.id)];
}
