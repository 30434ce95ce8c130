import { createRequire } from 'node:module';
import type { SQL, SQLWrapper } from 'drizzle-orm';

export { oneOf } from '@countersign/statements';

/**
 * The part of drizzle-orm for Postgres, loaded as CommonJS as in `@countersign/statements`.
 *
 * drizzle describes the tables and writes the SQL; the pool runs it. drizzle's own driver prepares no unnamed statement
 * (its session passes `prepare: false`), and its transactions can end the process.
 */
const require = createRequire(import.meta.url);

const orm = require('drizzle-orm') as typeof import('drizzle-orm');
const core = require('drizzle-orm/pg-core') as typeof import('drizzle-orm/pg-core');
const migrator = require('drizzle-orm/migrator') as typeof import('drizzle-orm/migrator');

export const { getTableColumns, getTableName, sql } = orm;
export const {
  bigint,
  boolean,
  check,
  doublePrecision,
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
 * A text column that is sorted by Unicode code point in any locale of the database: UTF-8 bytes have that order.
 */
export const orderedText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** A bytes column; the domain writes the value in lower-case hexadecimal. */
export const bytes = customType<{ data: string }>({ dataType: () => 'bytea' });

/** A timestamp column, to the millisecond as in the domain. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'string' });

/** The `clientNameKey` of a name, which may be a parameter. */
export function nameKeyOf(name: SQLWrapper): SQL {
  return sql`lower(regexp_replace(normalize(${name}, NFKD), '[\\u0300-\\u036f]', '', 'g')) collate "C"`;
}
