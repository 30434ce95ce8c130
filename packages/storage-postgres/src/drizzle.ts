import { createRequire } from 'node:module';
import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/**
 * drizzle-orm, loaded as CommonJS. Node reads the package.json of an ES module's package once for each of its files,
 * and drizzle's has 178 KB: imported, it doubles the memory of an idle server. Types are the same either way.
 *
 * It describes the tables and writes the SQL; running it is the pool's affair. drizzle's own driver prepares nothing
 * (its session passes `prepare: false` for whatever was not named) and its transactions can end the process.
 */
const require = createRequire(import.meta.url);

const orm = require('drizzle-orm') as typeof import('drizzle-orm');
const core = require('drizzle-orm/pg-core') as typeof import('drizzle-orm/pg-core');
const migrator = require('drizzle-orm/migrator') as typeof import('drizzle-orm/migrator');

export const { getTableColumns, is, Placeholder, sql } = orm;
export const {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  PgDialect,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} = core;
const { customType, timestamp } = core;
export const { readMigrationFiles } = migrator;

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
