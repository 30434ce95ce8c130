import Database from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
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

describe('a file that is found damaged', () => {
  /** Opens a database whose guard refuses writes once `isDamaged` is true. */
  function givenGuard() {
    const file = { isDamaged: false };
    const guard = {
      requireSound() {
        if (file.isDamaged) throw new Error('the file is damaged');
      },
      stopWrites: () => undefined,
    };
    const connection = new Database(':memory:');
    connection.exec('CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)');
    const guarded = new Kysely<Tables>({ dialect: createSqliteDialect(connection, guard) });
    onTestFinished(() => guarded.destroy());
    const add = (to: Pick<typeof guarded, 'insertInto'>) =>
      to.insertInto('users').values({ id: 1, name: 'Ada' }).execute();
    return { file, guarded, add, all: () => guarded.selectFrom('users').select('name').execute() };
  }

  it('a damaged file is read, and a statement that writes is refused', async () => {
    const { file, guarded, add, all } = givenGuard();
    file.isDamaged = true;
    await expect(add(guarded)).rejects.toThrow('the file is damaged');
    expect(await all()).toEqual([]);
    file.isDamaged = false;
    await add(guarded);
    file.isDamaged = true;
    expect(await all()).toEqual([{ name: 'Ada' }]);
  });

  it('a damaged file begins no transaction', async () => {
    const { file, guarded } = givenGuard();
    file.isDamaged = true;
    let begun = false;
    const refused = guarded.transaction().execute(async () => {
      begun = true;
    });
    await expect(refused).rejects.toThrow('the file is damaged');
    expect(begun).toBe(false);
  });

  it('a transaction that finds the file damaged is rolled back', async () => {
    const { file, guarded, add, all } = givenGuard();
    const refused = guarded.transaction().execute(async (transaction) => {
      await add(transaction);
      file.isDamaged = true;
    });
    await expect(refused).rejects.toThrow('the file is damaged');
    expect(await all()).toEqual([]);
  });
});

it('SQLite dialect: a query that streams its rows is refused', async () => {
  await expect(db.selectFrom('users').selectAll().stream().next()).rejects.toThrow('Nothing is streamed here');
});
