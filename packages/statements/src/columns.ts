import type { Column, SQL, SQLWrapper, Table } from 'drizzle-orm';
import { getTableColumns, sql } from './drizzle.ts';

/** A named parameter. */
export function parameter(name: string): SQL {
  return sql`${sql.placeholder(name)}`;
}

/** Joins expressions with commas. */
export function list(parts: readonly SQLWrapper[]): SQL {
  return sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );
}

/** Joins one or more conditions with `and`. */
export function every(conditions: readonly SQLWrapper[]): SQL {
  return sql.join(
    conditions.map((condition) => sql`${condition}`),
    sql` and `,
  );
}

/** `column in ('a', 'b')` with the values written out: an index or a CHECK takes no parameters. */
export function oneOf(column: Column, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;
}

/**
 * Compares a row with a position, column by column from the first: `(a, b) > ($a, $b)`. An index on the columns finds the
 * rows behind the position.
 */
export function isAfter(columns: readonly SQLWrapper[], position: readonly SQLWrapper[]): SQL {
  return sql`(${list(columns)}) > (${list(position)})`;
}

/** As `isAfter`, for rows in descending order. */
export function isBefore(columns: readonly SQLWrapper[], position: readonly SQLWrapper[]): SQL {
  return sql`(${list(columns)}) < (${list(position)})`;
}

/**
 * Completes a SELECT to pages in the order of a key, up to the parameter `limit`: the first page, and the page behind a
 * position, whose parts are the parameters `0`, `1` and so on.
 */
export function pagesByKey(select: SQL, key: readonly SQLWrapper[]): { readonly first: SQL; readonly next: SQL } {
  const inOrder = sql`order by ${list(key)} limit ${parameter('limit')}`;
  const position = key.map((_, index) => parameter(String(index)));
  return {
    first: sql`${select} ${inOrder}`,
    next: sql`${select} where ${isAfter(key, position)} ${inOrder}`,
  };
}

/** Lists the names of a table's columns for an INSERT. */
export function columnNames(table: Table): SQL {
  return list(Object.values(getTableColumns(table)).map(({ name }) => sql.identifier(name)));
}

/** Lists a parameter for each column, named like the field of the domain. */
export function columnParameters(table: Table, prefix = ''): SQL {
  return list(Object.keys(getTableColumns(table)).map((key) => parameter(prefix + key)));
}

/** Lists the columns of a table in the order of the schema, by which rows are parsed. Other expressions can replace some. */
export function columnsOf(table: Table, instead: Readonly<Record<string, SQL>> = {}): SQL {
  return list(Object.entries(getTableColumns(table)).map(([key, column]) => instead[key] ?? column));
}

/**
 * Inserts one row, whose values are named like the fields of the domain. Other expressions can replace some.
 * @param fields of the columns that are set; default: all
 */
export function insertInto(
  table: Table,
  instead: Readonly<Record<string, SQL>> = {},
  fields: readonly string[] = Object.keys(getTableColumns(table)),
): SQL {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table);
  const names = fields.map((field) => sql.identifier(columns[field]?.name ?? field));
  const values = fields.map((field) => instead[field] ?? parameter(field));
  return sql`insert into ${table} (${list(names)}) values (${list(values)})`;
}

/** Lists assignments of an UPDATE: the column of each field gets the parameter of its name. */
export function assignments(table: Table, fields: readonly string[]): SQL {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table);
  return list(fields.map((field) => sql`${sql.identifier(columns[field]?.name ?? field)} = ${parameter(field)}`));
}
