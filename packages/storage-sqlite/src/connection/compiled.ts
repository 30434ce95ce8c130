import { buildStatement, createShapes, is, list, Table } from '@countersign/statements';
import type { Column, SQL, SQLWrapper } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { getTableColumns, SQLiteSyncDialect, sql } from '../drizzle.ts';
import type { Connection } from './connection.ts';

const dialect = new SQLiteSyncDialect();

/** The columns of a row, in the order in which they were selected. */
export type Columns = readonly unknown[];

/** A statement built by drizzle and run by the driver. Values are bound by name. */
export interface Compiled<Row = Columns> {
  /** Returns the number of rows it changed. */
  run(values?: object): number;
  get(values?: object): Row | undefined;
  all(values?: object): Row[];
}

/**
 * Compiles a statement at its first use: preparing all of them takes most of the time of opening a storage, and a command
 * runs a few of them. Drizzle's own prepared statements take as long around the driver as the statement itself (measured:
 * 8.5 µs for a read and a creation together).
 */
export function compile(connection: Connection, query: SQLWrapper): Compiled {
  return compileFor<Columns>(connection, query, true);
}

/** As `compile`, for rows as objects. The statement names each column: see `fieldsOf`. */
export function compileRows<Row>(connection: Connection, query: SQL): Compiled<Row> {
  return compileFor<Row>(connection, query, false);
}

function compileFor<Row>(connection: Connection, query: SQLWrapper, isRaw: boolean): Compiled<Row> {
  let compiled: Compiled<Row> | undefined;
  const statement = (): Compiled<Row> => {
    compiled ??= compileNow(connection, query, isRaw);
    return compiled;
  };
  return {
    run: (values = {}) => statement().run(values),
    get: (values = {}) => statement().get(values),
    all: (values = {}) => statement().all(values),
  };
}

function compileNow<Row>(connection: Connection, query: SQLWrapper, isRaw: boolean): Compiled<Row> {
  const { text, parametersOf } = buildStatement<unknown>(dialect, query.getSQL());
  const statement = connection.prepare(text);
  if (isRaw && statement.reader) statement.raw();
  const bound = (values: object = {}): unknown[] => parametersOf(values as Readonly<Record<string, unknown>>);
  return {
    run: (values) => statement.run(...bound(values)).changes,
    get: (values) => statement.get(...bound(values)) as Row | undefined,
    all: (values) => statement.all(...bound(values)) as Row[],
  };
}

/** Compiles the statement of a shape at its first use. */
export type StatementCache = (shape: string, query: () => SQL) => Compiled;

export function createStatementCache(connection: Connection): StatementCache {
  const shapes = createShapes<Compiled>();
  return (shape, query) => shapes(shape, () => compile(connection, query()));
}

/**
 * Returns a named parameter of a prepared statement, as an expression with a plus. SQLite 3.54 plans a statement again
 * when a bare parameter that may influence the plan is bound, and the driver clears parameters after each run, so that
 * would happen every time (measured: 18 µs instead of 4 for a join of two rows).
 */
export function parameter(name: string): SQL {
  return sql`+${sql.placeholder(name)}`;
}

/** Lists columns under the names of their fields, for `compileRows`: all of a table, or those given. */
export function fieldsOf(of: SQLiteTable | Readonly<Record<string, SQLWrapper>>): SQL {
  const fields = is(of, Table) ? getTableColumns(of) : of;
  return list(Object.entries(fields).map(([key, column]) => sql`${column} as ${sql.identifier(key)}`));
}

/** Lists assignments of an UPDATE: each column gets the parameter named like its field. */
export function assignments(table: SQLiteTable, fields: readonly string[]): SQL {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table);
  return list(
    fields.map((field) => sql`${sql.identifier(columns[field]?.name ?? field)} = ${sql.placeholder(field)}`),
  );
}

/** A statement prepared by drizzle. Values are bound by name. */
export interface Prepared<Run, All, Get, Values> {
  run(values?: Record<string, unknown>): Run;
  all(values?: Record<string, unknown>): All;
  get(values?: Record<string, unknown>): Get;
  values(values?: Record<string, unknown>): Values;
}

/** Prepares a query of drizzle at its first use, as `compile`. */
export function prepared<Run, All, Get, Values>(query: {
  prepare(): Prepared<Run, All, Get, Values>;
}): Prepared<Run, All, Get, Values> {
  let made: Prepared<Run, All, Get, Values> | undefined;
  const statement = (): Prepared<Run, All, Get, Values> => {
    made ??= query.prepare();
    return made;
  };
  return {
    run: (values) => statement().run(values),
    all: (values) => statement().all(values),
    get: (values) => statement().get(values),
    values: (values) => statement().values(values),
  };
}

/** Returns a parameter for each column, named like the column, to write a whole row. */
export function columnParameters<T extends SQLiteTable>(table: T): { [K in keyof T['$inferSelect']]: SQL } {
  const entries = Object.keys(getTableColumns(table)).map((name) => [name, sql`${sql.placeholder(name)}`]);
  return Object.fromEntries(entries) as { [K in keyof T['$inferSelect']]: SQL };
}
