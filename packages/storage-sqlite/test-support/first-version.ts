import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { APPLICATION_ID } from '../src/file/inspect-file.ts';
import { MIGRATIONS } from '../src/file/migrations.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** The file of a database as the first version of Countersign left it, with something in every table. */
export function databaseOfFirstVersion(afterwards: (clean: () => void) => void): string {
  const file = join(temporaryDirectory(afterwards), 'countersign.db');
  const connection = new Database(file);
  connection.pragma(`application_id = ${APPLICATION_ID}`);
  connection.pragma('journal_mode = WAL');
  connection.exec(readFileSync(new URL('../migrations/0000_initial-schema.sql', import.meta.url), 'utf8'));
  connection.exec(MIGRATIONS_TABLE);
  connection.exec(ROWS);
  connection
    .prepare("INSERT INTO countersign_migrations (hash, created_at) VALUES ('', ?)")
    .run(MIGRATIONS[0]?.when);
  connection.close();
  return file;
}

/** When the verifications of that database were submitted last, in ms. */
export const SUBMITTED_AT: Readonly<Record<string, number | null>> = {
  'v-pending': null,
  'v-submitted': Date.UTC(2026, 2, 10, 9, 30, 0, 123),
  'v-submitted-silent': 2_000,
  'v-submitted-broken': 3_000,
  'v-action-needed': 7_000,
  'v-approved': 4_000,
  'v-withdrawn': null,
};

const MIGRATIONS_TABLE = `
  CREATE TABLE countersign_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`;

const verification = (id: string, status: string, dossier: string): string =>
  `INSERT INTO verifications VALUES ('client', '${id}', 'kyc', 'subject ${id}', '${status}', 1,
    ${status === 'approved' || status === 'rejected' ? 9 : null}, 3, 2, 1, 99, 'key ${id}', 'f', '{"a":1}', '{"b":[2]}', '${dossier}')`;

const submitted = (id: string, version: number, at: number): string =>
  `INSERT INTO verification_events VALUES ('client', 'event-${version}', '${id}', ${version}, 'verification.submitted',
    'submitted', ${at}, 'subject', null, '{}', ${at}, null, 0, null)`;

const ROWS = [
  "INSERT INTO clients VALUES ('client', 'Client', 1)",
  "INSERT INTO subscriptions VALUES ('client', 'standard', 'active', null, 1, null)",
  "INSERT INTO usage VALUES ('client', '2026-03', 7, 1000)",
  "INSERT INTO api_keys VALUES ('client', 'key', 'Key', 'hash', 'csk_', '[\"*\"]', 1, null, null, null, 1)",
  verification('v-pending', 'pending', '{}'),
  verification('v-submitted', 'submitted', '{"submittedAt":"2026-03-10T09:30:00.123Z"}'),
  submitted('v-submitted', 2, 1_000),
  verification('v-submitted-silent', 'submitted', '{}'),
  submitted('v-submitted-silent', 2, 2_000),
  verification('v-submitted-broken', 'submitted', '{"submittedAt":'),
  submitted('v-submitted-broken', 2, 3_000),
  verification('v-action-needed', 'action_needed', '{"request":{}}'),
  submitted('v-action-needed', 2, 5_000),
  submitted('v-action-needed', 4, 7_000),
  verification('v-approved', 'approved', '{"decision":{}}'),
  submitted('v-approved', 2, 4_000),
  verification('v-withdrawn', 'rejected', '{"decision":{}}'),
].join(';\n');
