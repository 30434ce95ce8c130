import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { startPostgres } from '@countersign/test-support/servers';
import { it } from 'vitest';
import { KEPT_FOLDERS, type Kind, VERSIONS_FOLDER } from './kept-installation.ts';
import { keepProgram } from './kept-program.ts';
import { makeInstallation } from './make-installation.ts';
import { hashesOfMigrations } from './migration-files.ts';
import { dumpRows } from './postgres-rows.ts';

// Keeps an installation of this version for each kind of database: run once for a release, and committed with it.

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
const folder = join(VERSIONS_FOLDER, version);

it('keeps the hashes of the migrations', () => {
  mkdirSync(folder, { recursive: true });
  writeJson(join(folder, 'migrations.json'), hashesOfMigrations());
});

it('keeps the program', () => keepProgram(version));

it('keeps an installation on SQLite', async () => {
  const dataDir = temporaryFolder();
  const made = await makeInstallation(dataDir, {});
  const to = emptied('sqlite');
  cpSync(join(dataDir, 'countersign.db'), join(to, 'countersign.db'));
  keepFolders(dataDir, to);
  writeJson(join(to, 'installation.json'), made);
});

it('keeps an installation on Postgres', async () => {
  const postgres = await startPostgres({ fsync: false });
  const url = await postgres.createDatabase();
  const dataDir = temporaryFolder();
  const made = await makeInstallation(dataDir, { DATABASE_URL: url });
  const to = emptied('postgres');
  writeFileSync(join(to, 'rows.sql'), await dumpRows(url));
  keepFolders(dataDir, to);
  writeJson(join(to, 'installation.json'), made);
  await postgres.stop();
});

function emptied(kind: Kind): string {
  const to = join(folder, kind);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  return to;
}

function keepFolders(dataDir: string, to: string): void {
  for (const name of KEPT_FOLDERS) cpSync(join(dataDir, name), join(to, name), { recursive: true });
}

function writeJson(file: string, content: unknown): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
