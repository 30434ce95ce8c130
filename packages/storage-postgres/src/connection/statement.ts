import {
  buildStatement,
  columnNames,
  columnsOf as columnsInOrder,
  list,
  parameter,
  type Statement as StatementOf,
} from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { getTableColumns, PgDialect, sql } from '../drizzle.ts';
import type { Value } from './rows.ts';

export { assignments, columnNames, columnParameters, insertInto, parameter } from '@countersign/statements';
export type { Value } from './rows.ts';

export type Statement = StatementOf<Value>;

const dialect = new PgDialect();

export function statementOf(query: SQL): Statement {
  return buildStatement(dialect, query);
}

/**
 * Lists the columns of a table with the table's name, in the order of the schema, by which rows are parsed. Other
 * expressions can replace some columns.
 */
export function columnsOf(table: PgTable, instead: Readonly<Record<string, SQL>> = {}): SQL {
  const bytes = Object.entries(getTableColumns(table)).filter(([, column]) => column.getSQLType() === 'bytea');
  return columnsInOrder(table, {
    ...Object.fromEntries(bytes.map(([key, column]) => [key, sql`encode(${column}, 'hex')`])),
    ...instead,
  });
}

/**
 * Passes any number of rows as one parameter `name`: a JSON array of objects with the field names of the domain.
 */
export function rowsFromJson(table: PgTable, name: string): SQL {
  const shape = Object.entries(getTableColumns(table)).map(
    ([key, column]) => sql`${sql.identifier(key)} ${sql.raw(column.getSQLType())}`,
  );
  return sql`json_to_recordset(${parameter(name)}::json) as ${sql.identifier(name)} (${list(shape)})`;
}

/** Lists the columns of rows from JSON in the order of the schema. */
export function columnsFromJson(table: PgTable, name: string): SQL {
  return list(
    Object.keys(getTableColumns(table)).map((key) => sql`${sql.identifier(name)}.${sql.identifier(key)}`),
  );
}

/**
 * Inserts rows from JSON.
 * @param from where they are selected from; default: all rows of the parameter
 */
export function insertFromJson(table: PgTable, name: string, from: SQL = rowsFromJson(table, name)): SQL {
  return sql`insert into ${table} (${columnNames(table)}) select ${columnsFromJson(table, name)} from ${from}`;
}
