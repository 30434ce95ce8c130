import type { RetentionRepository } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../../connection/session.ts';
import { columnsOf, insertInto, parameter, type Statement, statementOf } from '../../connection/statement.ts';
import { sql } from '../../drizzle.ts';
import { areIds, momentText, parseInteger } from '../../rows/parse-row.ts';
import { erasures } from '../../schema.ts';
import { erasureRows } from '../../tables/rows.ts';

type Operations = Pick<
  RetentionRepository,
  'recordErasure' | 'erasure' | 'erasures' | 'lastErasure' | 'withoutReceipt'
>;

const RECORD = statementOf(sql`
  ${insertInto(erasures)} on conflict do nothing`);

/** Numbers are compared as bigint, so that one that is out of the column's range finds nothing. */
const BY_NUMBER = statementOf(sql`
  select ${columnsOf(erasures)} from ${erasures} where ${erasures.number} = ${parameter('number')}::bigint`);

const LAST = statementOf(sql`select coalesce(max(${erasures.number}), 0) from ${erasures}`);

/** `offset 0` keeps the planner from reading the whole table for a join. */
const WITHOUT_RECEIPT = statementOf(sql`
  select asked.number from unnest(${parameter('numbers')}::bigint[]) with ordinality as asked (number, place)
  where not exists (select 1 from ${erasures} where ${erasures.number} = asked.number offset 0)
  order by asked.place`);

/**
 * The receipts of one client are in the order of their numbers in the primary key, those of all in the index on the number. Without
 * statistics, the planner takes a range with two ends for a small one, and so reads it from the index.
 */
const listed = (ofClient: SQL): Statement =>
  statementOf(sql`
    select ${columnsOf(erasures)} from ${erasures}
    where ${ofClient} and ${erasures.number} > ${parameter('after')}::bigint and ${erasures.number} <= 2147483647
      and ${erasures.at} >= ${parameter('from')}::timestamptz and ${erasures.at} < ${parameter('until')}::timestamptz
    order by ${erasures.number} limit ${parameter('limit')}`);

const OF_ALL = listed(sql`true`);
const OF_CLIENT = listed(sql`${erasures.clientId} = ${parameter('clientId')}`);

export function createReceipts({ read, lookUp, write }: Session): Operations {
  return {
    async recordErasure(erasure) {
      await write(RECORD, erasureRows.toRow(erasure));
    },

    async erasure(number) {
      const [row] = await lookUp(BY_NUMBER, { number });
      return row === undefined ? null : erasureRows.fromRow(row);
    },

    async erasures({ clientId, from, until, after, limit }) {
      const range = {
        from: from === undefined ? '-infinity' : momentText(from),
        until: until === undefined ? 'infinity' : momentText(until),
        after,
        limit,
      };
      if (clientId === undefined) return (await read(OF_ALL, range)).map(erasureRows.fromRow);
      return areIds(clientId) ? (await read(OF_CLIENT, { clientId, ...range })).map(erasureRows.fromRow) : [];
    },

    async lastErasure() {
      const [row] = await read(LAST, {});
      return parseInteger('number', row?.[0]);
    },

    async withoutReceipt(numbers) {
      const rows = await read(WITHOUT_RECEIPT, { numbers: `{${numbers.join()}}` });
      return rows.map(([number]) => parseInteger('number', Number(number)));
    },
  };
}
