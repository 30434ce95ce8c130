import type { SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { parameter } from '../connection/statement.ts';
import { getTableColumns, sql } from '../drizzle.ts';

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
