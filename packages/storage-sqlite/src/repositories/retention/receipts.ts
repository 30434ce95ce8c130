import type { RetentionRepository } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import { compile, compileRows, fieldsOf, parameter } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { erasures } from '../../retention-tables.ts';
import { erasureRows } from '../../tables/rows.ts';

/** Finds a receipt by `number`. */
export const THE_ERASURE: SQL = sql`${erasures.number} = ${parameter('number')}`;

export const LAST_ERASURE: SQL = sql`select max(${erasures.number}) from ${erasures}`;

type Receipts = Pick<RetentionRepository, 'erasure' | 'erasures' | 'lastErasure' | 'withoutReceipt'>;

export function createReceipts({ connection, read, readPage }: Session): Receipts {
  const { clientId, number, at } = erasures;
  const select = (rest: SQL) =>
    compileRows<typeof erasures.$inferSelect>(
      connection,
      sql`select ${fieldsOf(erasures)} from ${erasures} where ${rest}`,
    );
  const one = select(THE_ERASURE);
  const page = (condition: SQL) =>
    select(sql`${condition} and ${number} > ${parameter('after')}
      and ${at} >= ${parameter('from')} and ${at} < ${parameter('until')}
      order by ${number} limit ${sql.placeholder('limit')}`);
  const [ofAll, ofClient] = [page(sql`true`), page(sql`${clientId} = ${parameter('clientId')}`)];
  const last = compile(connection, LAST_ERASURE);
  const withoutReceipt = compile(
    connection,
    sql`select value from json_each(${parameter('numbers')}) where value not in (select number from ${erasures})`,
  );

  return {
    erasure: (number) =>
      read(() => {
        const row = one.get({ number });
        return row === undefined ? null : erasureRows.fromRow(row);
      }),

    erasures: ({ clientId, from, until, after, limit }) =>
      readPage(() => {
        const span = {
          from: from?.getTime() ?? Number.MIN_SAFE_INTEGER,
          until: until?.getTime() ?? Number.MAX_SAFE_INTEGER,
        };
        const receipts = clientId === undefined ? ofAll : ofClient;
        return receipts.all({ clientId, ...span, after, limit }).map(erasureRows.fromRow);
      }),

    lastErasure: () => read(() => Number(last.get({})?.[0] ?? 0)),

    withoutReceipt: (numbers) =>
      read(() => {
        const missing = new Set(
          withoutReceipt.all({ numbers: JSON.stringify(numbers) }).map(([number]) => number),
        );
        return numbers.filter((number) => missing.has(number));
      }),
  };
}
