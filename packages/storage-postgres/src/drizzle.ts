import { createRequire } from 'node:module';

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
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  PgDialect,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} = core;
export const { readMigrationFiles } = migrator;
