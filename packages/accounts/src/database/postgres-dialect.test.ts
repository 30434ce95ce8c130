import { Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from './open-database.ts';
import type { PostgresPool, PostgresRows, PostgresValue } from './postgres-connections.ts';
import { createPostgresDialect } from './postgres-dialect.ts';
import type { Tables } from './tables.ts';

const LOST = new Error('lost');

/** A pool that records what it is asked, and answers each statement with the same row. */
function givenPool({ endsWith }: { readonly endsWith?: Error } = {}) {
  const asked: unknown[] = [];
  const rows: PostgresRows = Object.assign([['ann', '2026-11-30 06:03:19.116+00', null, true]], {
    count: 1,
    columns: [
      { name: 'id', type: 25 },
      { name: 'created_at', type: 1184 },
      { name: 'used_at', type: 1184 },
      { name: 'withdrawn', type: 16 },
    ],
  });
  const pool: PostgresPool = {
    async run(text, parameters, kind) {
      asked.push([kind, text, ...parameters]);
      return rows;
    },
    async begin() {
      asked.push('begin');
      return {
        async run(text: string, parameters: PostgresValue[]) {
          asked.push(['in transaction', text, ...parameters]);
          return rows;
        },
        async end(statement) {
          asked.push(statement);
          if (endsWith !== undefined) throw endsWith;
        },
      };
    },
    close: async () => void asked.push('close'),
  };
  const db = new Kysely<Tables>({ dialect: createPostgresDialect(pool) });
  const remove = (on: Pick<typeof db, 'deleteFrom'>) =>
    on.deleteFrom('staff_users').where('id', '=', 'ann').executeTakeFirst();
  return { asked, db, pool, remove };
}

it('Postgres dialect: a query may be repeated, any other statement may not, and neither reserves a connection', async () => {
  const { asked, db, remove } = givenPool();
  expect(await db.selectFrom('staff_users').selectAll().where('id', '=', 'ann').execute()).toEqual([
    { id: 'ann', created_at: new Date('2026-11-30T06:03:19.116Z'), used_at: null, withdrawn: true },
  ]);
  expect(Number((await remove(db)).numDeletedRows)).toBe(1);
  await sql`select ${1}, ${true}, ${null}`.execute(db);
  expect(asked).toEqual([
    ['read', 'select * from "staff_users" where "id" = $1', 'ann'],
    ['write', 'delete from "staff_users" where "id" = $1', 'ann'],
    ['write', 'select $1, $2, $3', 1, true, null],
  ]);
});

it('Postgres dialect: a transaction is committed, and rolled back if its work fails', async () => {
  const { asked, db, remove } = givenPool();
  const removed = ['in transaction', 'delete from "staff_users" where "id" = $1', 'ann'];
  await db.transaction().execute(remove);
  const failed = db.transaction().execute(async (transaction) => {
    await remove(transaction);
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  await remove(db);
  await db.destroy();
  expect(asked).toEqual([
    'begin',
    removed,
    'commit',
    'begin',
    removed,
    'rollback',
    ['write', ...removed.slice(1)],
    'close',
  ]);
});

it('Postgres dialect: a transaction that does not end rejects with its first error, and is ended once', async () => {
  const { asked, db, remove } = givenPool({ endsWith: LOST });
  await expect(db.transaction().execute(remove)).rejects.toBe(LOST);
  const failed = db.transaction().execute(async () => {
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  expect(asked.filter((each) => typeof each === 'string')).toEqual(['begin', 'commit', 'begin', 'rollback']);
});

it.each([
  ['an isolation level', (db: Kysely<Tables>) => db.transaction().setIsolationLevel('serializable')],
  ['an access mode', (db: Kysely<Tables>) => db.transaction().setAccessMode('read only')],
] as const)('Postgres dialect: a transaction with %s is refused before it begins', async (_, transactionOn) => {
  const { asked, db, remove } = givenPool();
  await expect(transactionOn(db).execute(remove)).rejects.toThrow(
    'a transaction on the pool has no isolation level or access mode of its own',
  );
  expect(asked).toEqual([]);
});

it('Postgres dialect: a parameter of another type is refused before it is sent', async () => {
  const { asked, db } = givenPool();
  await expect(sql`select ${new Date()}`.execute(db)).rejects.toThrow(
    'a statement has a parameter of type object',
  );
  expect(asked).toEqual([]);
});

it('Postgres dialect: a query that streams its rows is refused before it is sent', async () => {
  const { asked, db } = givenPool();
  const rows = db.selectFrom('staff_users').selectAll().stream();
  await expect(rows.next()).rejects.toThrow('Nothing is streamed here');
  expect(asked).toEqual([]);
});

it('a database on Postgres opens on the pool of the storage', async () => {
  const { asked, pool, remove } = givenPool();
  const connections = {
    openPool: () => pool,
    connect() {
      throw new Error('a query needs no connection of its own');
    },
  };
  const db = await openDatabase({ kind: 'postgres', connections });
  await remove(db);
  await db.destroy();
  expect(asked).toEqual([['write', 'delete from "staff_users" where "id" = $1', 'ann'], 'close']);
});
