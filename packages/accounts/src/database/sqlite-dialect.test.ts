import Database from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSqliteDialect } from './sqlite-dialect.ts';

interface Tables {
  readonly users: { readonly id: number; readonly name: string };
}

let db: Kysely<Tables>;
let prepared: string[];

beforeEach(() => {
  const connection = new Database(':memory:');
  connection.exec('CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)');
  const prepare = connection.prepare.bind(connection);
  prepared = [];
  connection.prepare = (source: string) => {
    prepared.push(source);
    return prepare(source);
  };
  db = new Kysely<Tables>({ dialect: createSqliteDialect(connection) });
});

afterEach(() => db.destroy());

const insert = (id: number, name: string) => db.insertInto('users').values({ id, name }).execute();
const nameOf = async (id: number) =>
  (await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirst())?.name;

describe('a statement that was prepared before', () => {
  it('a prepared statement runs with the values of each call and reads what was written since', async () => {
    await insert(1, 'Ada');
    await insert(2, 'Bob');
    expect([await nameOf(1), await nameOf(2), await nameOf(3)]).toEqual(['Ada', 'Bob', undefined]);
    await insert(3, 'Cid');
    await db.updateTable('users').set({ name: 'Eve' }).where('id', '=', 1).execute();
    expect([await nameOf(1), await nameOf(3)]).toEqual(['Eve', 'Cid']);
    expect(prepared).toHaveLength(new Set(prepared).size);
  });

  it('a prepared statement returns the columns that a table has now', async () => {
    const all = () => sql<object>`SELECT * FROM users`.execute(db);
    await insert(1, 'Ada');
    expect((await all()).rows).toEqual([{ id: 1, name: 'Ada' }]);
    await sql`ALTER TABLE users ADD COLUMN role TEXT DEFAULT 'reviewer'`.execute(db);
    expect((await all()).rows).toEqual([{ id: 1, name: 'Ada', role: 'reviewer' }]);
  });

  it('a prepared statement is prepared again after 200 others', async () => {
    await insert(1, 'Ada');
    await nameOf(1);
    const { length } = prepared;
    for (let count = 2; count <= 202; count += 1) {
      const ids = Array.from({ length: count }, (_, id) => id);
      expect(await db.selectFrom('users').select('name').where('id', 'in', ids).execute()).toHaveLength(1);
    }
    expect(prepared).toHaveLength(length + 201);
    expect(await nameOf(1)).toBe('Ada');
    expect(prepared).toHaveLength(length + 202);
  });
});

it('an error other than damage of the file does not stop writes', async () => {
  const stopped: unknown[] = [];
  const connection = new Database(':memory:');
  connection.exec('CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)');
  const guard = { requireSound: () => undefined, stopWrites: (cause: unknown) => stopped.push(cause) };
  const guarded = new Kysely<Tables>({ dialect: createSqliteDialect(connection, guard) });
  const add = () => guarded.insertInto('users').values({ id: 1, name: 'Ada' }).execute();
  await add();
  await expect(add()).rejects.toMatchObject({ code: expect.stringMatching(/^SQLITE_CONSTRAINT/) });
  const fault = Object.assign(new Error('lost'), { cause: new Database.SqliteError('full', 'SQLITE_FULL') });
  connection.prepare = () => {
    throw fault;
  };
  await expect(guarded.selectFrom('users').selectAll().execute()).rejects.toBe(fault);
  expect(stopped).toEqual([]);
  await guarded.destroy();
});

it('a transaction that SQLite rolled back itself rejects with the original error', async () => {
  const connection = new Database(':memory:');
  const own = new Kysely<Tables>({ dialect: createSqliteDialect(connection) });
  const failed = own.transaction().execute(async () => {
    connection.exec('ROLLBACK');
    throw new Error('the disk is full');
  });
  await expect(failed).rejects.toThrow('the disk is full');
  await own.destroy();
});
