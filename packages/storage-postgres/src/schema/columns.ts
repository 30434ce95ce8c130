import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { customType, sql, timestamp } from '../drizzle.ts';

/**
 * Text that is sorted or compared by Unicode code point, whatever the locale of the database: the bytes of UTF-8 have
 * that order.
 */
export const orderedText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** Bytes; the domain writes them in lower-case hexadecimal. */
export const bytes = customType<{ data: string }>({ dataType: () => 'bytea' });

/** A moment, to the millisecond as in the domain. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'string' });

/** `column in ('a', 'b')` with the values written out: an index or a CHECK takes no parameters. */
export function oneOf(column: PgColumn, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;
}
