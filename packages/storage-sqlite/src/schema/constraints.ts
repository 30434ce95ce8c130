import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { sql } from '../drizzle.ts';

/** `column in ('a', 'b')` with the values written out: an index or a CHECK takes no parameters. */
export function oneOf(column: SQLiteColumn, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;
}
