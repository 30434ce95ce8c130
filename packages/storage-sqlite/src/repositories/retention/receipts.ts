import type { RetentionRepository } from '@countersign/domain/storage';
import { compile, parameter, prepared } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { and, asc, eq, gt, gte, lt, sql } from '../../drizzle.ts';
import { erasures } from '../../retention-tables.ts';
import { fromErasureRow } from '../../rows/retention-rows.ts';

/** Finds a receipt by `number`. */
export const THE_ERASURE = eq(erasures.number, parameter('number'));

type Receipts = Pick<RetentionRepository, 'erasure' | 'erasures' | 'lastErasure' | 'withoutReceipt'>;

export function createReceipts({ db, connection, read, readPage }: Session): Receipts {
  const one = prepared(db.select().from(erasures).where(THE_ERASURE));
  const last = compile(connection, db.select({ last: sql`max(${erasures.number})` }).from(erasures));
  const withoutReceipt = compile(
    connection,
    sql`select value from json_each(${parameter('numbers')}) where value not in (select number from ${erasures})`,
  );

  return {
    erasure: (number) =>
      read(() => {
        const row = one.get({ number });
        return row === undefined ? null : fromErasureRow(row);
      }),

    erasures: ({ clientId, from, until, after, limit }) =>
      readPage(() =>
        db
          .select()
          .from(erasures)
          .where(
            and(
              clientId === undefined ? undefined : eq(erasures.clientId, clientId),
              gt(erasures.number, after),
              from && gte(erasures.at, from.getTime()),
              until && lt(erasures.at, until.getTime()),
            ),
          )
          .orderBy(asc(erasures.number))
          .limit(limit)
          .all()
          .map(fromErasureRow),
      ),

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
