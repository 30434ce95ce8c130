import type { QueueQuery, VerificationRepository } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, isStorable, parseInteger } from '../rows/parse-row.ts';
import { listedVerification } from '../rows/verification-row.ts';
import { verifications } from '../schema/index.ts';
import { WITHOUT_DOCUMENTS } from './verification-browse.ts';

/** One statement for the page and the count, made at the first query of its shape (24 at most). */
export function createQueue({ read }: Session): VerificationRepository['queue'] {
  const statements = new Map<string, Statement>();

  return async (query) => {
    const { status, type = null, clientId = null, claimedBy = null, offset, limit } = query;
    if ((clientId !== null && !areIds(clientId)) || !isStorable(claimedBy ?? '')) {
      return { records: [], totalCount: 0 };
    }
    const shape = shapeOf(query);
    const statement = statements.get(shape) ?? statementFor(query);
    statements.set(shape, statement);
    const rows = await read(statement, { status, type, clientId, claimedBy, offset, limit });
    const [first] = rows;
    // The count comes with each row of the page, after its columns; a page without any has one row of nulls.
    return {
      records: first === undefined || first[1] === null ? [] : rows.map(listedVerification),
      totalCount: parseInteger('count', Number(first?.at(-1))),
    };
  };
}

/** What two queries must share to share a statement: the filters in use, not the values. */
function shapeOf({ status, type, clientId, claimedBy }: QueueQuery): string {
  const filters = [type, clientId].map((filter) => (filter === undefined ? '-' : '+'));
  return [status === 'pending', ...filters, claimedBy === undefined ? '-' : claimedBy === null].join();
}

function statementFor(query: QueueQuery): Statement {
  const matching = sql.join(conditions(query), sql` and `);
  const order = sql`${verifications.submittedAt}, ${verifications.id}`;
  // The name of the table stands for its page, so that columns are called the same within and without.
  return statementOf(sql`
    select ${WITHOUT_DOCUMENTS}, total.count
    from (select count(*) from ${verifications} where ${matching}) as total
    left join (
      select * from ${verifications} where ${matching}
      order by ${order} limit ${parameter('limit')} offset ${parameter('offset')}
    ) as ${verifications} on true
    order by ${order}`);
}

function conditions({ status, type, clientId, claimedBy }: QueueQuery): SQL[] {
  const all = [sql`${verifications.status} = ${parameter('status')}`];
  // Says nothing new, except to the planner: that the index of the queue holds all of them.
  if (status !== 'pending') all.push(sql`${verifications.status} <> 'pending'`);
  if (type !== undefined) all.push(sql`${verifications.type} = ${parameter('type')}`);
  if (clientId !== undefined) all.push(sql`${verifications.clientId} = ${parameter('clientId')}`);
  if (claimedBy !== undefined) {
    all.push(
      claimedBy === null
        ? sql`${verifications.claimedBy} is null`
        : sql`${verifications.claimedBy} = ${parameter('claimedBy')}`,
    );
  }
  return all;
}
