import type { SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { getTableColumns, is, PgDialect, Placeholder, sql } from '../drizzle.ts';

/** The type of a parameter. JSON and dates are passed as text. */
export type Value = string | number | boolean | null;

/** An SQL statement. Its text is built once; each connection prepares it under a name on first use. */
export interface Statement {
  readonly text: string;
  /** Returns the values of its parameters in their order. @throws TypeError if one is missing */
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
        // postgres.js would report the error to another query.
        if (value === undefined) throw new TypeError(`The parameter ${name ?? index} has no value`);
        return value;
      }),
  };
}

/** A named parameter. */
export function parameter(name: string): SQL {
  return sql`${sql.placeholder(name)}`;
}

/** Lists the names of a table's columns for an INSERT. */
export function columnNames(table: PgTable): SQL {
  return sql.join(
    Object.values(getTableColumns(table)).map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
}

/** Lists a parameter for each column, named like the field of the domain. */
export function columnParameters(table: PgTable, prefix = ''): SQL {
  return sql.join(
    Object.keys(getTableColumns(table)).map((key) => parameter(prefix + key)),
    sql`, `,
  );
}

/**
 * Lists the columns of a table with the table's name, in the order of the schema, by which rows are parsed. Other
 * expressions can replace some columns.
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
 * Passes any number of rows as one parameter `name`: a JSON array of objects with the field names of the domain.
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

/** Lists the columns of such rows in the order of the schema. */
export function columnsFromJson(table: PgTable, name: string): SQL {
  return sql.join(
    Object.keys(getTableColumns(table)).map((key) => sql`${sql.identifier(name)}.${sql.identifier(key)}`),
    sql`, `,
  );
}
