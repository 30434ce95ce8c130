import type { DataKeyEntry, DataKeyRepository } from '@countersign/domain/storage';
import { compile, parameter, prepared } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, count, eq, gt, isNull, ne, sql } from '../drizzle.ts';
import { dataKeyOf } from '../rows/rows.ts';
import { verifications } from '../schema.ts';
import type { RunLongRead } from './long-read-kinds.ts';

const COLUMNS = {
  clientId: verifications.clientId,
  verificationId: verifications.id,
  dataKeyWrappedBy: verifications.dataKeyWrappedBy,
  dataKey: verifications.dataKey,
};

// Verifications without a data key have null here, which SQL never finds equal or different.
const NOT_WRAPPED = ne(verifications.dataKeyWrappedBy, parameter('key'));

/** Creates `countNotWrappedBy`, which reads all verifications. */
export function createCountNotWrappedBy({ db }: Pick<Session, 'db'>): (key: string) => number {
  const counted = prepared(db.select({ count: count() }).from(verifications).where(NOT_WRAPPED));
  return (key) => counted.get({ key })?.count ?? 0;
}

export function createDataKeyRepository(session: Session, runApart: RunLongRead): DataKeyRepository {
  const { db, connection, read, readAtOnce, readPage, readApart, write } = session;
  const theVerification = and(
    eq(verifications.id, parameter('verificationId')),
    eq(verifications.clientId, parameter('clientId')),
  );
  const find = compile(
    connection,
    db
      .select({ dataKeyWrappedBy: verifications.dataKeyWrappedBy, dataKey: verifications.dataKey })
      .from(verifications)
      .where(theVerification),
  );
  const page = (after: ReturnType<typeof gt> | undefined) =>
    prepared(
      db
        .select(COLUMNS)
        .from(verifications)
        .where(and(after, NOT_WRAPPED))
        .orderBy(asc(verifications.id))
        .limit(sql.placeholder('limit')),
    );
  const [first, next] = [page(undefined), page(gt(verifications.id, parameter('after')))];
  const ofNextKey = prepared(
    db
      .select(COLUMNS)
      .from(verifications)
      .where(gt(verifications.dataKeyWrappedBy, parameter('key')))
      .orderBy(asc(verifications.dataKeyWrappedBy))
      .limit(1),
  );
  const replace = prepared(
    db
      .update(verifications)
      .set({ dataKeyWrappedBy: parameter('wrappedBy'), dataKey: parameter('wrapped') })
      .where(
        and(
          theVerification,
          isNull(verifications.erasureNumber),
          sql`${verifications.dataKeyWrappedBy} is ${parameter('expectedWrappedBy')}`,
          sql`${verifications.dataKey} is ${parameter('expectedWrapped')}`,
        ),
      ),
  );

  return {
    find: (clientId, verificationId) =>
      read(() => {
        const columns = find.get({ clientId, verificationId });
        if (columns === undefined) return null;
        return dataKeyOf(columns[0] as string | null, columns[1] as string | null);
      }),

    listOneOfEachKey: (limit) =>
      readAtOnce(() => {
        const entries: DataKeyEntry[] = [];
        let row = ofNextKey.get({ key: '' });
        while (row !== undefined && entries.length < limit) {
          entries.push(...entryOf(row));
          row = ofNextKey.get({ key: row.dataKeyWrappedBy });
        }
        return entries;
      }),

    countNotWrappedBy: (key) => readApart(() => runApart('countNotWrappedBy', key)),

    listNotWrappedBy: (key, after, limit) =>
      readPage(() => {
        const rows = after === null ? first.all({ key, limit }) : next.all({ key, after, limit });
        return rows.flatMap(entryOf);
      }),

    replace: ({ clientId, verificationId, expected, next }) =>
      write<{ outcome: 'replaced' | 'conflict' }>(() => {
        const { changes } = replace.run({
          clientId,
          verificationId,
          wrappedBy: next.wrappedBy,
          wrapped: next.wrapped,
          expectedWrappedBy: expected?.wrappedBy ?? null,
          expectedWrapped: expected?.wrapped ?? null,
        });
        return { keep: changes === 1, value: { outcome: changes === 1 ? 'replaced' : 'conflict' } };
      }),
  };
}

interface DataKeyRow {
  readonly clientId: string;
  readonly verificationId: string;
  readonly dataKeyWrappedBy: string | null;
  readonly dataKey: string | null;
}

function entryOf({ clientId, verificationId, dataKeyWrappedBy, dataKey: wrapped }: DataKeyRow): DataKeyEntry[] {
  const dataKey = dataKeyOf(dataKeyWrappedBy, wrapped);
  return dataKey === null ? [] : [{ clientId, verificationId, dataKey }];
}
