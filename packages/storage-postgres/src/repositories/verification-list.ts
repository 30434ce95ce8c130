import type { SortField, VerificationQuery, VerificationRepository } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, isStorable, parseInteger } from '../rows/parse-row.ts';
import { listedVerification } from '../rows/verification-row.ts';
import { verifications } from '../schema/index.ts';

const COLUMNS: Readonly<Record<SortField, PgColumn>> = {
  requestedAt: verifications.requestedAt,
  resolvedAt: verifications.resolvedAt,
  status: verifications.status,
  type: verifications.type,
  subjectReference: verifications.subjectReference,
  currentStep: verifications.currentStep,
};

/** One statement for the page and the count, made at the first query of its shape (96 at most). */
export function createListVerifications({ read }: Session): VerificationRepository['list'] {
  const statements = new Map<string, Statement>();

  return async (clientId, query) => {
    const { status = null, type = null, subjectReference = null, offset, limit } = query;
    if (!areIds(clientId) || !isStorable(subjectReference ?? '')) return { records: [], totalCount: 0 };
    const shape = shapeOf(query);
    const statement = statements.get(shape) ?? statementFor(query);
    statements.set(shape, statement);
    const rows = await read(statement, { clientId, status, type, subjectReference, offset, limit });
    const [first] = rows;
    // The count comes with each row of the page, after its columns; a page without any has one row of nulls.
    return {
      records: first === undefined || first[1] === null ? [] : rows.map(listedVerification),
      totalCount: parseInteger('count', Number(first?.at(-1))),
    };
  };
}

/** What two queries must share to share a statement: the filters in use and the order, not the values. */
function shapeOf({ status, type, subjectReference, sortBy, sortOrder }: VerificationQuery): string {
  const filters = [status, type, subjectReference].map((filter) => (filter === undefined ? '-' : '+'));
  return [...filters, sortBy, sortOrder].join();
}

function statementFor(query: VerificationQuery): Statement {
  const matching = sql.join(conditions(query), sql` and `);
  const order = orderOf(query);
  // The name of the table stands for its page, so that columns are called the same within and without.
  return statementOf(sql`
    select ${columnsOf(verifications)}, total.count
    from (select count(*) from ${verifications} where ${matching}) as total
    left join (
      select * from ${verifications} where ${matching}
      order by ${order} limit ${parameter('limit')} offset ${parameter('offset')}
    ) as ${verifications} on true
    order by ${order}`);
}

function conditions({ status, type, subjectReference }: VerificationQuery): SQL[] {
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
  return sql`${COLUMNS[sortBy]} ${direction}${nulls}, ${verifications.id} ${direction}`;
}
