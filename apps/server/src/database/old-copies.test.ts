import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createFileEvidenceStore } from '@countersign/evidence';
import { everyRow } from '@countersign/test-support/installation/database-file';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describe, expect, test } from 'vitest';
import { operatorOfEachTest } from '../../test-support/operator.ts';
import { copyBeforeMigration } from './migration-backup.ts';
import { asideName, deleteOldCopies } from './old-copies.ts';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

/** The folder of a database and of evidence, each with a file in use. */
function given() {
  const dataDir = temporaryFolder();
  const database = join(dataDir, 'countersign.db');
  const evidenceDir = join(dataDir, 'evidence');
  write(database);
  write(join(evidenceDir, 'client-1', 'verification-1', 'file-1'));
  const places = { files: [database, `${database}-wal`, `${database}-serving`], evidenceDir };
  return { dataDir, database, evidenceDir, places };
}

/** Writes a file with a time, and the folders that hold it. */
function write(file: string, writtenAt: Date = daysAgo(100)): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, basename(file));
  utimesSync(file, writtenAt, writtenAt);
  return file;
}

const pathsIn = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

describe('copies of an installation', () => {
  const operator = operatorOfEachTest();

  test('old copies: what a migration and a restore left is deleted after seven days, and the installation stays', async () => {
    const { id: clientId } = await operator.newClient();
    const { dataDir } = operator;
    const database = join(dataDir, 'countersign.db');
    const evidenceDir = join(dataDir, 'evidence');
    const store = createFileEvidenceStore({ directory: evidenceDir });
    const place = { clientId, verificationId: 'verification-1', fileId: 'file-1' };
    await store.put(place, Uint8Array.of(1, 2, 3));
    const backup = join(temporaryFolder(), 'backup');
    expect(await operator.run(`backup ${backup}`)).toMatchObject({ exitCode: 0 });
    expect(await operator.run(`restore ${backup}`)).toMatchObject({ exitCode: 0 });
    await copyBeforeMigration(database, '0099_later');
    const rows = everyRow(database);
    const copies = () =>
      [...readdirSync(dataDir), ...readdirSync(evidenceDir)].filter((name) => name.includes('before-'));
    expect(copies()).toHaveLength(3);
    const places = { files: [database, `${database}-wal`, `${database}-shm`, `${database}-serving`], evidenceDir };

    expect(await deleteOldCopies(places, new Date(Date.now() + 6 * DAY_MS))).toBe(0);
    expect(copies()).toHaveLength(3);

    expect(await deleteOldCopies(places, new Date(Date.now() + 8 * DAY_MS))).toBe(3);
    expect(copies()).toEqual([]);
    expect(everyRow(database)).toEqual(rows);
    expect(await store.get(place)).toEqual(Uint8Array.of(1, 2, 3));
    expect(await deleteOldCopies(places, new Date(Date.now() + 8 * DAY_MS))).toBe(0);
  });
});

test('old copies: unfinished copies, further ones and files beside them are deleted too', async () => {
  const { dataDir, database, places } = given();
  const before = pathsIn(dataDir);
  for (const suffix of ['', '-2', '-wal', '.copying'])
    write(`${database}.before-0010_retention${suffix}`, daysAgo(8));
  expect(await deleteOldCopies(places, NOW)).toBe(4);
  expect(pathsIn(dataDir)).toEqual(before);
});

test('old copies: a restore that was killed a week ago leaves nothing, a younger one stays', async () => {
  const { dataDir, database, evidenceDir, places } = given();
  const before = pathsIn(dataDir);
  const staged = join(evidenceDir, '.restoring');
  const stage = (days: number) => {
    write(`${database}.restoring`, daysAgo(days));
    write(join(staged, 'client-1', 'verification-1', 'file-1'));
    utimesSync(staged, daysAgo(days), daysAgo(days));
  };
  stage(6.9);
  expect(await deleteOldCopies(places, NOW)).toBe(0);
  expect(existsSync(join(staged, 'client-1', 'verification-1', 'file-1'))).toBe(true);
  stage(7.1);
  expect(await deleteOldCopies(places, NOW)).toBe(2);
  expect(pathsIn(dataDir)).toEqual(before);
});

test('old copies: nothing else is deleted, however old', async () => {
  const { dataDir, database, evidenceDir, places } = given();
  const old = asideName(daysAgo(8));
  for (const name of [
    `${database}.before-upgrade`,
    `${database}.before-0010_retention.gz`,
    `${database}-backup`,
    join(dataDir, 'other.db.before-0010_retention'),
    join(dataDir, 'before-restore-monday', 'countersign.db'),
    join(dataDir, 'before-restore-2026-13-45T00-00-00-000Z', 'countersign.db'),
    join(dataDir, `my-${old}`, 'countersign.db'),
    join(evidenceDir, old, 'file'),
    join(evidenceDir, '.before-restore-', 'client-1', 'file'),
    join(dataDir, `${database}.before-0011_folder`, 'file'),
  ]) {
    write(name);
  }
  const elsewhere = temporaryFolder();
  write(join(elsewhere, 'countersign.db'));
  symlinkSync(elsewhere, join(dataDir, old));
  symlinkSync(join(elsewhere, 'countersign.db'), `${database}.before-0012_link`);
  const before = [pathsIn(dataDir), pathsIn(elsewhere)];

  expect(await deleteOldCopies(places, NOW)).toBe(0);

  expect([pathsIn(dataDir), pathsIn(elsewhere)]).toEqual(before);
});

test('old copies: of a folder that restore made, only what it moved there is deleted', async () => {
  const { dataDir, evidenceDir, places } = given();
  const [databases, files] = [
    join(dataDir, asideName(daysAgo(8))),
    join(evidenceDir, `.${asideName(daysAgo(8))}`),
  ];
  const notes = [write(join(databases, 'notes.txt')), write(join(files, 'notes.txt'))];
  write(join(databases, 'countersign.db'));
  write(join(databases, 'countersign.db-wal'));
  write(join(files, 'client-1', 'verification-1', 'file-1'));

  expect(await deleteOldCopies(places, NOW)).toBe(0);

  expect([pathsIn(databases), pathsIn(files)]).toEqual([['notes.txt'], ['notes.txt']]);
  expect(notes.map((file) => readFileSync(file, 'utf8'))).toEqual(['notes.txt', 'notes.txt']);
});

test('old copies: those of the last seven days and those dated in the future stay', async () => {
  const { dataDir, database, evidenceDir, places } = given();
  for (const [index, days] of [6.9, 0, -1, -400].entries()) {
    write(`${database}.before-0010_retention-${index}`, daysAgo(days));
    write(join(dataDir, asideName(daysAgo(days)), 'countersign.db'));
    write(join(evidenceDir, `.${asideName(daysAgo(days))}`, 'client-1', 'v', 'f'));
  }
  const before = pathsIn(dataDir);
  expect(await deleteOldCopies(places, NOW)).toBe(0);
  expect(pathsIn(dataDir)).toEqual(before);
});

test('old copies: of servers at once, each copy is counted by one', async () => {
  const { dataDir, database, evidenceDir, places } = given();
  const before = pathsIn(dataDir);
  for (let n = 10; n < 30; n += 1) {
    write(`${database}.before-0010_retention-${n}`, daysAgo(8));
    write(join(evidenceDir, `.${asideName(daysAgo(n))}`, 'client-1', 'v', 'f'));
  }
  const counts = await Promise.all([1, 2, 3].map(() => deleteOldCopies(places, NOW)));
  expect(counts.reduce((sum, count) => sum + count)).toBe(40);
  expect(pathsIn(dataDir)).toEqual(before);
});

test('old copies: without a database file and an evidence folder there are none', async () => {
  const { evidenceDir } = given();
  expect(await deleteOldCopies({ files: [], evidenceDir: join(evidenceDir, 'missing') }, NOW)).toBe(0);
  const aside = join(evidenceDir, `.${asideName(daysAgo(8))}`);
  write(join(aside, 'client-1', 'v', 'f'));
  expect(await deleteOldCopies({ files: [], evidenceDir }, NOW), 'on Postgres').toBe(1);
  expect(existsSync(aside)).toBe(false);
});
