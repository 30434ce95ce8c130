import type { SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { getTableColumns, is, PgDialect, Placeholder, sql } from '../drizzle.ts';

/** What a parameter may be: JSON and moments are written as text before. */
export type Value = string | number | boolean | null;

/** SQL whose text is made once; it is prepared under a name when a connection first meets it. */
export interface Statement {
  readonly text: string;
  /** The values of its parameters, in their order. @throws TypeError where one is missing */
  parametersOf(values: Readonly<Record<string, Value>>): Value[];
}

const dialect = new PgDialect();

export function statementOf(query: SQL): Statement {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const names = params.map((one) => (is(one, Placeholder) ? one.name : null));
  return {
    text,
    parametersOf: (values) =>
      names.map((name, index) => {
        const value = name === null ? (params[index] as Value) : values[name];
        // postgres.js would tell another query of it.
        if (value === undefined) throw new TypeError(`The parameter ${name ?? index} has no value`);
        return value;
      }),
  };
}

/** A parameter that is given by name. */
export function parameter(name: string): SQL {
  return sql`${sql.placeholder(name)}`;
}

/** The names of a table's columns, as an INSERT lists them. */
export function columnNames(table: PgTable): SQL {
  return sql.join(
    Object.values(getTableColumns(table)).map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
}

/** A parameter for each column, called as the column is in the domain. */
export function columnParameters(table: PgTable, prefix = ''): SQL {
  return sql.join(
    Object.keys(getTableColumns(table)).map((key) => parameter(prefix + key)),
    sql`, `,
  );
}

/**
 * The columns of a table with their table's name, in the order of the schema: what rows are parsed by. Some may be asked
 * for as something else instead.
 */
export function columnsOf(table: PgTable, instead: Readonly<Record<string, SQL>> = {}): SQL {
  return sql.join(
    Object.entries(getTableColumns(table)).map(
      ([key, column]) =>
        instead[key] ?? (column.getSQLType() === 'bytea' ? sql`encode(${column}, 'hex')` : sql`${column}`),
    ),
    sql`, `,
  );
}

/**
 * Any number of a table's rows as one parameter, which is called `name` as the rows are: a JSON array of objects whose
 * fields have the names of the domain.
 */
export function rowsFromJson(table: PgTable, name: string): SQL {
  const shape = sql.join(
    Object.entries(getTableColumns(table)).map(
      ([key, column]) => sql`${sql.identifier(key)} ${sql.raw(column.getSQLType())}`,
    ),
    sql`, `,
  );
  return sql`json_to_recordset(${parameter(name)}::json) as ${sql.identifier(name)} (${shape})`;
}

/** The columns of such rows, in the order of the schema. */
export function columnsFromJson(table: PgTable, name: string): SQL {
  return sql.join(
    Object.keys(getTableColumns(table)).map((key) => sql`${sql.identifier(name)}.${sql.identifier(key)}`),
    sql`, `,
  );
}
