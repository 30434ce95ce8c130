import type { DataKeyEntry, DataKeyRepository } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import { compile, compileRows, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { dataKeyOf } from '../rows/rows.ts';
import { verifications } from '../schema.ts';
import type { RunLongRead } from './long-read-kinds.ts';

const { clientId, id, dataKey, dataKeyWrappedBy, erasureNumber } = verifications;
const ENTRIES = sql`select ${clientId} as "clientId", ${id} as "verificationId",
  ${dataKeyWrappedBy} as "dataKeyWrappedBy", ${dataKey} as "dataKey" from ${verifications}`;

// Verifications without a data key have null here, which SQL never finds equal or different.
const NOT_WRAPPED = sql`${dataKeyWrappedBy} <> ${parameter('key')}`;

/** Creates `countNotWrappedBy`, which reads all verifications. */
export function createCountNotWrappedBy({ connection }: Pick<Session, 'connection'>): (key: string) => number {
  const counted = compile(connection, sql`select count(*) from ${verifications} where ${NOT_WRAPPED}`);
  return (key) => Number(counted.get({ key })?.[0]);
}

export function createDataKeyRepository(session: Session, runApart: RunLongRead): DataKeyRepository {
  const { connection, read, readAtOnce, readPage, readApart, write } = session;
  const theVerification = sql`${id} = ${parameter('verificationId')} and ${clientId} = ${parameter('clientId')}`;
  const find = compile(
    connection,
    sql`select ${dataKeyWrappedBy}, ${dataKey} from ${verifications} where ${theVerification}`,
  );
  const entries = (rest: SQL) => compileRows<DataKeyRow>(connection, sql`${ENTRIES} where ${rest}`);
  const page = (condition: SQL) => entries(sql`${condition} order by ${id} limit ${sql.placeholder('limit')}`);
  const [first, next] = [page(NOT_WRAPPED), page(sql`${id} > ${parameter('after')} and ${NOT_WRAPPED}`)];
  const ofNextKey = entries(sql`${dataKeyWrappedBy} > ${parameter('key')} order by ${dataKeyWrappedBy} limit 1`);
  const replace = compile(
    connection,
    sql`update ${verifications}
      set data_key_wrapped_by = ${parameter('wrappedBy')}, data_key = ${parameter('wrapped')}
      where ${theVerification} and ${erasureNumber} is null
        and ${dataKeyWrappedBy} is ${parameter('expectedWrappedBy')}
        and ${dataKey} is ${parameter('expectedWrapped')}`,
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
        const changes = replace.run({
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
