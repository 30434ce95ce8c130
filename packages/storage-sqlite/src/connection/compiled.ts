import type { SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { getTableColumns, is, Placeholder, SQLiteSyncDialect, sql } from '../drizzle.ts';
import type { Connection } from './connection.ts';

const dialect = new SQLiteSyncDialect();

/** A query as drizzle builds it. */
interface Query {
  toSQL(): { sql: string; params: unknown[] };
}

/** The columns of a row, in the order in which they were selected. */
export type Columns = readonly unknown[];

/** A statement built by drizzle and run by the driver. Values are bound by name. */
export interface Compiled {
  run(values: object): void;
  get(values: object): Columns | undefined;
  all(values: object): Columns[];
}

/**
 * Compiles a query for the statements of every request. Drizzle's own prepared statements take as long around the driver
 * as the statement itself (measured: 8.5 µs for a read and a creation together). Values are stored as given, without
 * drizzle's encoding. Compiles at the first use, as `prepared` does.
 */
export function compile(connection: Connection, query: Query | SQL): Compiled {
  const statement = once(() => compileNow(connection, query));
  return {
    run: (values) => statement().run(values),
    get: (values) => statement().get(values),
    all: (values) => statement().all(values),
  };
}

function compileNow(connection: Connection, query: Query | SQL): Compiled {
  const { sql, params } = 'toSQL' in query ? query.toSQL() : dialect.sqlToQuery(query);
  const statement = connection.prepare(sql);
  if (statement.reader) statement.raw();
  const names = params.map((param) => (is(param, Placeholder) ? param.name : undefined));

  function bound(values: object): unknown[] {
    const given = values as Readonly<Record<string, unknown>>;
    return names.map((name, index) => (name === undefined ? params[index] : given[name]));
  }

  return {
    run: (values) => void statement.run(...bound(values)),
    get: (values) => statement.get(...bound(values)) as Columns | undefined,
    all: (values) => statement.all(...bound(values)) as Columns[],
  };
}

/** A statement prepared by drizzle. Values are bound by name. */
export interface Prepared<Run, All, Get, Values> {
  run(values?: Record<string, unknown>): Run;
  all(values?: Record<string, unknown>): All;
  get(values?: Record<string, unknown>): Get;
  values(values?: Record<string, unknown>): Values;
}

/**
 * Prepares a query of drizzle at its first use: preparing all of them takes most of the time of opening a storage, and a
 * command runs a few of them.
 */
export function prepared<Run, All, Get, Values>(query: {
  prepare(): Prepared<Run, All, Get, Values>;
}): Prepared<Run, All, Get, Values> {
  const statement = once(() => query.prepare());
  return {
    run: (values) => statement().run(values),
    all: (values) => statement().all(values),
    get: (values) => statement().get(values),
    values: (values) => statement().values(values),
  };
}

/** Returns a function that makes a value at its first call and returns it from then on. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Returns a named parameter of a prepared statement, as an expression with a plus. SQLite 3.54 plans a statement again
 * when a bare parameter that may influence the plan is bound, and the driver clears parameters after each run, so that
 * would happen every time (measured: 18 µs instead of 4 for a join of two rows).
 */
export function parameter(name: string): SQL {
  return sql`+${sql.placeholder(name)}`;
}

/** Returns a parameter for each column, named like the column, to write a whole row. */
export function columnParameters<T extends SQLiteTable>(table: T): { [K in keyof T['$inferSelect']]: SQL } {
  const entries = Object.keys(getTableColumns(table)).map((name) => [name, sql`${sql.placeholder(name)}`]);
  return Object.fromEntries(entries) as { [K in keyof T['$inferSelect']]: SQL };
}
