import type { SortField } from '@countersign/domain';
import type { RecordPage, VerificationQuery, VerificationRepository } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf, type Value } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { parseInteger, type Row } from '../rows/parse-row.ts';
import { listedVerification } from '../rows/rows.ts';
import { verifications } from '../schema.ts';

const COLUMNS: Readonly<Record<SortField, PgColumn>> = {
  requestedAt: verifications.requestedAt,
  resolvedAt: verifications.resolvedAt,
  status: verifications.status,
  type: verifications.type,
  subjectReference: verifications.subjectReference,
  currentStep: verifications.currentStep,
};

// These lists show neither document, and documents are most of a row.
const EMPTY = sql`'{}'::jsonb`;
export const WITHOUT_DOCUMENTS: SQL = columnsOf(verifications, { answers: EMPTY, reviewData: EMPTY });

/**
 * Reads pages with one statement for the records and the total, made at the first query of its shape: queries of one
 * shape have the same filters and order, with other values.
 */
function readPages<Query>(
  { read }: Session,
  { shapeOf, statementFor }: { shapeOf(query: Query): string; statementFor(query: Query): Statement },
): (query: Query, values: Record<string, Value>) => Promise<RecordPage> {
  const statements = new Map<string, Statement>();
  return async (query, values) => {
    const shape = shapeOf(query);
    const statement = statements.get(shape) ?? statementFor(query);
    statements.set(shape, statement);
    return pageOf(await read(statement, values));
  };
}

/** The total follows the columns of each row. A page without records has one row of nulls. */
export function pageOf(rows: readonly Row[]): RecordPage {
  const [first] = rows;
  return {
    records: first === undefined || first[1] === null ? [] : rows.map(listedVerification),
    totalCount: parseInteger('count', Number(first?.at(-1))),
  };
}

/** A statement for a page and its total. */
function pageStatement(page: {
  readonly columns: SQL;
  readonly total: SQL;
  readonly records: SQL;
  readonly order: SQL;
  readonly limit: SQL;
}): Statement {
  // The page has the name of the table, so that columns have the same names inside and outside.
  return statementOf(sql`
    select ${page.columns}, total.count
    from (${page.total}) as total
    left join (
      select * from ${verifications} where ${page.records} order by ${page.order} limit ${page.limit}
    ) as ${verifications} on true
    order by ${page.order}`);
}

const PAGE = sql`${parameter('limit')} offset ${parameter('offset')}`;
const isUsed = (filter: unknown): string => (filter === undefined ? '-' : '+');

/** Reads pages by sorting all matches: those of one subject, or any. Has up to 96 shapes. */
export function createSortedLists(session: Session): VerificationRepository['list'] {
  const read = readPages<VerificationQuery>(session, {
    shapeOf: ({ status, type, subjectReference, sortBy, sortOrder }) =>
      [...[status, type, subjectReference].map(isUsed), sortBy, sortOrder].join(),
    statementFor(query) {
      const matching = sql.join(listConditions(query), sql` and `);
      return pageStatement({
        columns: columnsOf(verifications),
        total: sql`select count(*) from ${verifications} where ${matching}`,
        records: matching,
        order: orderOf(query),
        limit: PAGE,
      });
    },
  });
  return async (clientId, query) => {
    const { status = null, type = null, subjectReference = null, offset, limit } = query;
    return read(query, { clientId, status, type, subjectReference, offset, limit });
  };
}

function listConditions({ status, type, subjectReference }: VerificationQuery): SQL[] {
  const all = [sql`${verifications.clientId} = ${parameter('clientId')}`];
  if (status !== undefined) all.push(sql`${verifications.status} = ${parameter('status')}`);
  if (type !== undefined) all.push(sql`${verifications.type} = ${parameter('type')}`);
  if (subjectReference !== undefined) {
    all.push(sql`${verifications.subjectReference} = ${parameter('subjectReference')}`);
  }
  return all;
}

function orderOf({ sortBy, sortOrder }: VerificationQuery): SQL {
  const direction = sql.raw(sortOrder);
  // Only where nulls exist and would come first: an index does not serve an order that names nulls needlessly.
  const nulls = sql.raw(sortBy === 'resolvedAt' && sortOrder === 'desc' ? ' nulls last' : '');
  const { requestedAt, id } = verifications;
  return sql`${COLUMNS[sortBy]} ${direction}${nulls}, ${requestedAt} ${direction}, ${id} ${direction}`;
}
