import type { RecordPage, VerificationQuery } from '@countersign/domain/storage';
import { columnsOf, every, isUsed } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { type Compiled, compile, createStatementCache, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { listedVerification } from '../rows/rows.ts';
import { verifications } from '../schema.ts';
import { PAGE, ROWID } from './group-statements.ts';

/** Columns in the order of the table. Lists for people show neither answers nor reviewData, which are most of a row. */
export const WITHOUT_DOCUMENTS: SQL = columnsOf(verifications, {
  answers: sql`'{}'`,
  reviewData: sql`'{}'`,
  warnings: sql`null`,
});

/** Compiles the statement that reads a row by its `rowid`. */
export function compileRowWithId({ connection }: Pick<Session, 'connection'>, columns: SQL): Compiled {
  return compile(connection, sql`select ${columns} from ${verifications} where ${ROWID} = ${parameter('rowid')}`);
}

/** Reads pages of one subject: those are found by its reference and sorted. Has up to 48 shapes. */
export function createSubjectPages({
  connection,
  readPage,
}: Session): (query: VerificationQuery, clientId: string) => Promise<RecordPage> {
  const statementFor = createStatementCache(connection);
  return (query, clientId) =>
    readPage(() => {
      const { status, type, sortBy, sortOrder } = query;
      const filters = [isUsed(status), isUsed(type)].join();
      const matching = () => sql`from ${verifications} where ${every(listConditions(query))}`;
      const page = statementFor(
        [filters, sortBy, sortOrder].join(),
        () => sql`select ${columnsOf(verifications)} ${matching()} order by ${order(query)} ${PAGE}`,
      );
      const total = statementFor(filters, () => sql`select count(*) ${matching()}`);
      const values = { ...query, clientId };
      return {
        // SQLite would prepare to sort, which takes ten times as long as the count.
        records: query.limit === 0 ? [] : page.all(values).map(listedVerification),
        totalCount: Number(total.get(values)?.[0]),
      };
    });
}

function listConditions({ status, type }: VerificationQuery): SQL[] {
  const equal = (field: 'clientId' | 'status' | 'type' | 'subjectReference') =>
    sql`${verifications[field]} = ${parameter(field)}`;
  return [
    equal('clientId'),
    ...(status === undefined ? [] : [equal('status')]),
    ...(type === undefined ? [] : [equal('type')]),
    equal('subjectReference'),
  ];
}

/** SQLite compares text by the bytes of its UTF-8, which is the order of code points. */
function order({ sortBy, sortOrder }: VerificationQuery): SQL {
  const direction = sql.raw(sortOrder);
  // Only an ascending order must say so: for SQLite null is the smallest value.
  const nulls = sql.raw(sortBy === 'resolvedAt' && sortOrder === 'asc' ? ' nulls last' : '');
  const { requestedAt, id } = verifications;
  // The plus keeps SQLite from reading all of the client's verifications in this order.
  return sql`+${verifications[sortBy]} ${direction}${nulls}, ${requestedAt} ${direction}, ${id} ${direction}`;
}
