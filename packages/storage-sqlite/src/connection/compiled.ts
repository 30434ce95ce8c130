import type { SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { getTableColumns, is, Placeholder, sql } from '../drizzle.ts';
import type { Connection } from './connection.ts';

/** A query as drizzle builds it. */
interface Query {
  toSQL(): { sql: string; params: unknown[] };
}

/** The columns of a row, in the order in which they were selected. */
export type Columns = readonly unknown[];

/** A statement that drizzle wrote and the driver runs. Values are given by name. */
export interface Compiled {
  run(values: object): void;
  get(values: object): Columns | undefined;
}

/**
 * For the statements of every request: what drizzle's own prepared ones do around the driver for each run costs as
 * much as the statement itself (measured: 8.5 µs of a read and a creation together). The values must be what the
 * columns hold; nothing is encoded on the way.
 */
export function compile(connection: Connection, query: Query): Compiled {
  const { sql, params } = query.toSQL();
  const statement = connection.prepare(sql);
  if (statement.reader) statement.raw();
  const names = params.map((param) => (is(param, Placeholder) ? param.name : undefined));

  function bound(values: object): unknown[] {
    const given = values as Readonly<Record<string, unknown>>;
    return names.map((name, index) => (name === undefined ? params[index] : given[name]));
  }

  return {
    run: (values) => void statement.run(bound(values)),
    get: (values) => statement.get(bound(values)) as Columns | undefined,
  };
}

/**
 * What a prepared statement is given by name. The plus changes nothing but this: SQLite 3.54 plans a statement anew
 * when a parameter that might influence the plan is given, and the driver's clearing of parameters after each run
 * makes that every time (measured: 18 µs instead of 4 for a join of two rows). An expression escapes that.
 */
export function parameter(name: string): SQL {
  return sql`+${sql.placeholder(name)}`;
}

/** A parameter for each column, called as the column is, for writing a whole row. */
export function columnParameters<T extends SQLiteTable>(table: T): { [K in keyof T['$inferSelect']]: SQL } {
  const entries = Object.keys(getTableColumns(table)).map((name) => [name, sql`${sql.placeholder(name)}`]);
  return Object.fromEntries(entries) as { [K in keyof T['$inferSelect']]: SQL };
}
