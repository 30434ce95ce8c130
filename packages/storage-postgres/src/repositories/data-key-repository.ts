import { type DataKeyEntry, type DataKeyRepository, parseRow } from '@countersign/domain/storage';
import type { Session } from '../connection/session.ts';
import { parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, parseInteger, parseText, type Row } from '../rows/parse-row.ts';
import { dataKeyOf } from '../rows/rows.ts';
import { verifications } from '../schema.ts';

const { clientId, id, dataKeyWrappedBy, dataKey, erasureNumber } = verifications;

const THE_VERIFICATION = sql`${clientId} = ${parameter('clientId')} and ${id} = ${parameter('id')}`;
// Verifications without a data key have null here, which SQL never finds equal or different.
const NOT_WRAPPED_BY = sql`${dataKeyWrappedBy} <> ${parameter('key')}`;

const FIND = statementOf(sql`
  select ${dataKeyWrappedBy}, ${dataKey} from ${verifications} where ${THE_VERIFICATION}`);

/** Goes from each key to the next one by the index of keys. */
const ONE_OF_EACH_KEY = statementOf(sql`
  with recursive found(client_id, id, wrapped_by, data_key) as (
    (${nextKey(sql`${dataKeyWrappedBy} is not null`)})
    union all
    select next.* from found cross join lateral (${nextKey(sql`${dataKeyWrappedBy} > found.wrapped_by`)}) as next
  )
  select * from found limit ${parameter('limit')}`);

const COUNT = statementOf(sql`select count(*) from ${verifications} where ${NOT_WRAPPED_BY}`);

const FIRST = page(sql`true`);
const NEXT = page(sql`${id} > ${parameter('after')}`);

/**
 * A replacement that waits for a commit of the same row checks the data key again and leaves the committed values
 * unchanged.
 */
const REPLACE = statementOf(sql`
  update ${verifications}
  set data_key_wrapped_by = ${parameter('wrappedBy')}, data_key = ${parameter('wrapped')}
  where ${THE_VERIFICATION} and ${erasureNumber} is null
    and ${dataKeyWrappedBy} is not distinct from ${parameter('expectedWrappedBy')}
    and ${dataKey} is not distinct from ${parameter('expectedWrapped')}`);

export function createDataKeyRepository({ read, lookUp, write }: Session): DataKeyRepository {
  return {
    async find(clientId, verificationId) {
      if (!areIds(clientId, verificationId)) return null;
      const [row] = await lookUp(FIND, { clientId, id: verificationId });
      return row === undefined ? null : parseRow('verification', verificationId, () => dataKeyOf(row[0], row[1]));
    },

    async listOneOfEachKey(limit) {
      return (await read(ONE_OF_EACH_KEY, { limit })).flatMap(entryOf);
    },

    async countNotWrappedBy(key) {
      const [row] = await read(COUNT, { key });
      return parseInteger('count', Number(row?.[0]));
    },

    async listNotWrappedBy(key, after, limit) {
      const rows = await (after === null ? read(FIRST, { key, limit }) : read(NEXT, { key, after, limit }));
      return rows.flatMap(entryOf);
    },

    async replace({ clientId, verificationId, expected, next }) {
      if (!areIds(clientId, verificationId)) return { outcome: 'conflict' };
      const { count } = await write(REPLACE, {
        clientId,
        id: verificationId,
        wrappedBy: next.wrappedBy,
        wrapped: next.wrapped,
        expectedWrappedBy: expected?.wrappedBy ?? null,
        expectedWrapped: expected?.wrapped ?? null,
      });
      return { outcome: count === 1 ? 'replaced' : 'conflict' };
    },
  };
}

function nextKey(where: ReturnType<typeof sql>) {
  return sql`
    select ${clientId}, ${id}, ${dataKeyWrappedBy}, ${dataKey} from ${verifications}
    where ${where} order by ${dataKeyWrappedBy} limit 1`;
}

function page(after: typeof NOT_WRAPPED_BY): Statement {
  return statementOf(sql`
    select ${clientId}, ${id}, ${dataKeyWrappedBy}, ${dataKey} from ${verifications}
    where ${after} and ${NOT_WRAPPED_BY} order by ${id} limit ${parameter('limit')}`);
}

function entryOf(row: Row): DataKeyEntry[] {
  return parseRow('verification', row[1], () => {
    const dataKey = dataKeyOf(row[2], row[3]);
    if (dataKey === null) return [];
    return [{ clientId: parseText('client_id', row[0]), verificationId: parseText('id', row[1]), dataKey }];
  });
}
