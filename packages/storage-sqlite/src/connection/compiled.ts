import { buildStatement, createShapes, list } from '@countersign/statements';
import type { SQL, SQLWrapper } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { getTableColumns, is, SQLiteSyncDialect, sql, Table } from '../drizzle.ts';
import type { Connection } from './connection.ts';

const dialect = new SQLiteSyncDialect();

/** The columns of a row, in the order in which they were selected. */
export type Columns = readonly unknown[];

/** Values of a statement by the names of its parameters. */
type Values = Readonly<Record<string, unknown>>;

/** A statement built by drizzle and run by the driver. */
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
  return compileAs<Columns>(connection, query, { isRaw: true });
}

/** As `compile`, for rows as objects. The statement names each column: see `fieldsOf`. */
export function compileRows<Row>(connection: Connection, query: SQLWrapper): Compiled<Row> {
  return compileAs<Row>(connection, query, { isRaw: false });
}

function compileAs<Row>(
  connection: Connection,
  query: SQLWrapper,
  { isRaw }: { readonly isRaw: boolean },
): Compiled<Row> {
  let compiled: ReturnType<typeof prepare> | undefined;

  function prepare() {
    const { text, parametersOf } = buildStatement<unknown>(dialect, query.getSQL());
    const statement = connection.prepare<unknown[], Row>(text);
    if (isRaw && statement.reader) statement.raw();
    return { statement, parametersOf };
  }

  return {
    run(values = {}) {
      compiled ??= prepare();
      return compiled.statement.run(...compiled.parametersOf(values as Values)).changes;
    },
    get(values = {}) {
      compiled ??= prepare();
      return compiled.statement.get(...compiled.parametersOf(values as Values));
    },
    all(values = {}) {
      compiled ??= prepare();
      return compiled.statement.all(...compiled.parametersOf(values as Values));
    },
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
