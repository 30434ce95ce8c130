import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { MIGRATIONS } from '../src/file/migrations.ts';
import { databaseOfFirstVersion } from './first-version.ts';

/** The file of a database as the second version of Countersign left it: with claims and data keys as well. */
export function databaseOfSecondVersion(afterwards: (clean: () => void) => void): string {
  const file = databaseOfFirstVersion(afterwards);
  const connection = new Database(file);
  const migration = new URL('../migrations/0001_queue-claims-and-data-keys.sql', import.meta.url);
  connection.exec(readFileSync(migration, 'utf8'));
  connection
    .prepare("INSERT INTO countersign_migrations (hash, created_at) VALUES ('', ?)")
    .run(MIGRATIONS[1]?.when);
  connection.exec(CHANGES);
  connection.close();
  return file;
}

const CHANGES = `
  UPDATE verifications SET claimed_by = 'reviewer', claimed_at = 8000 WHERE id = 'v-submitted';
  UPDATE verifications SET data_key_wrapped_by = 'ring', data_key = 'wrapped' WHERE status <> 'pending';
  INSERT INTO clients VALUES ('other', 'Other', 2);
  INSERT INTO api_keys VALUES ('client', 'revoked', 'Old', 'hash 2', 'csk_', '["*"]', 1, 2, 3, 4, null)`;
