import { createRequire } from 'node:module';

export { oneOf } from '@countersign/statements';

/** The part of drizzle-orm for SQLite, loaded as CommonJS as in `@countersign/statements`. */
const require = createRequire(import.meta.url);

const orm = require('drizzle-orm') as typeof import('drizzle-orm');
const core = require('drizzle-orm/sqlite-core') as typeof import('drizzle-orm/sqlite-core');
const driver = require('drizzle-orm/better-sqlite3') as typeof import('drizzle-orm/better-sqlite3');
const migrator =
  require('drizzle-orm/better-sqlite3/migrator') as typeof import('drizzle-orm/better-sqlite3/migrator');

export const { eq, getTableColumns, getTableName, is, sql, Table } = orm;
export const {
  blob,
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  SQLiteSyncDialect,
  sqliteTable,
  text,
  uniqueIndex,
} = core;
export const { drizzle } = driver;
export const { migrate } = migrator;
