import type { RecordPage, VerificationQuery, VerificationRepository } from '@countersign/domain/storage';
import { createShapes, every, isUsed } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { parseInteger, type Row } from '../rows/parse-row.ts';
import { listedVerification } from '../rows/rows.ts';
import { verifications } from '../schema.ts';

// These lists show neither document, and documents are most of a row.
const EMPTY = sql`'{}'::jsonb`;
export const WITHOUT_DOCUMENTS: SQL = columnsOf(verifications, {
  answers: EMPTY,
  reviewData: EMPTY,
  warnings: sql`null`,
});

/** The total follows the columns of each row. A page without records has one row of nulls. */
export function pageOf(rows: readonly Row[]): RecordPage {
  const [first] = rows;
  return {
    records: first === undefined || first[1] === null ? [] : rows.map(listedVerification),
    totalCount: parseInteger('count', Number(first?.at(-1))),
  };
}

/** Reads pages by sorting all matches: those of one subject, or any. Has up to 96 shapes. */
export function createSortedLists({ read }: Session): VerificationRepository['list'] {
  const statements = createShapes<Statement>();
  return async (clientId, query) => {
    const { status = null, type = null, subjectReference = null, sortBy, sortOrder, offset, limit } = query;
    const filters = [query.status, query.type, query.subjectReference].map(isUsed);
    const statement = statements([...filters, sortBy, sortOrder].join(), () => statementFor(query));
    return pageOf(await read(statement, { clientId, status, type, subjectReference, offset, limit }));
  };
}

/** The page has the name of the table, so that columns have the same names inside and outside. */
function statementFor(query: VerificationQuery): Statement {
  const matching = every(listConditions(query));
  const order = orderOf(query);
  return statementOf(sql`
    select ${columnsOf(verifications)}, total.count
    from (select count(*) from ${verifications} where ${matching}) as total
    left join (
      select * from ${verifications} where ${matching} order by ${order}
      limit ${parameter('limit')} offset ${parameter('offset')}
    ) as ${verifications} on true
    order by ${order}`);
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
  return sql`${verifications[sortBy]} ${direction}${nulls}, ${requestedAt} ${direction}, ${id} ${direction}`;
}
