import { join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { APPLICATION_ID } from '../src/file/inspect-file.ts';

/** A database file of Countersign without any table: the state before the first migration. */
export function fileWithoutTables(): string {
  const file = join(temporaryDirectory(onTestFinished), 'countersign.db');
  const connection = new Database(file);
  connection.pragma(`application_id = ${APPLICATION_ID}`);
  connection.pragma('journal_mode = WAL');
  connection.close();
  return file;
}

/** What the database contains besides the migrations table, which the migrator creates first. */
export function schemaOf(connection: Database.Database): unknown[] {
  const select =
    "SELECT type, name, sql FROM sqlite_master WHERE tbl_name <> 'countersign_migrations' ORDER BY name";
  return connection.prepare(select).all();
}
