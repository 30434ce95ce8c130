import type { SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { sql } from '../drizzle.ts';
import type { Rows } from './rows.ts';
import type { Session } from './session.ts';
import { parameter, type Statement } from './statement.ts';

type Row = Rows[number];

/**
 * Creates a look-up by an id. All ids of one turn of the event loop share one statement: a page asks for each of its rows, and one
 * statement for each would take the server and Postgres longer. The statement is sent after the last of the calls that share it.
 * @param statement reads the rows of `ids`, an array of UUIDs
 * @param idOf returns the id that a row was found by
 */
export function lookUpTogether(
  { lookUp }: Pick<Session, 'lookUp'>,
  statement: Statement,
  idOf: (row: Row) => unknown,
): (id: string) => Promise<readonly Row[]> {
  let ids = new Set<string>();
  let found: Promise<ReadonlyMap<unknown, readonly Row[]>> | undefined;

  async function findAll(): Promise<ReadonlyMap<unknown, readonly Row[]>> {
    await Promise.resolve();
    const asked = [...ids];
    ids = new Set();
    found = undefined;
    return Map.groupBy(await lookUp(statement, { ids: `{${asked.join()}}` }), idOf);
  }

  return async (id) => {
    ids.add(id);
    found ??= findAll();
    return (await found).get(id) ?? [];
  };
}

/**
 * The rows of a table whose column has one of `ids`, under the name of the table. Because of the offset, each id is looked up in the index,
 * also by plans from before a bulk load: with one condition for all ids, Postgres would scan a table that was small then.
 */
export function rowsOfIds(table: PgTable, column: PgColumn): SQL {
  return sql`unnest(${parameter('ids')}::uuid[]) as asked (id)
    cross join lateral (select * from ${table} where ${column} = asked.id offset 0) as ${table}`;
}
