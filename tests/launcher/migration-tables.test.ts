// Starts the launcher for each case, which compares the tables of two storages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declareTable, folderOf, makeStorages, migration, migrations, STORAGES, WHEN } from './made-storages.ts';

makeStorages();

test('migration: writes the SQL of changed tables and replaces the snapshot, for both storages', async () => {
  declareTable('sqlite', 'id');
  declareTable('postgres', 'id');
  expect(await migration('expand-notes')).toMatchObject({ code: 0 });
  declareTable('sqlite', 'id', 'note');
  declareTable('postgres', 'id', 'note');

  expect(await migration('expand-note-texts')).toMatchObject({ code: 0 });

  for (const [storage, sql] of [
    ['sqlite', ['CREATE TABLE `notes` (\n\t`id` text\n);\n', 'ALTER TABLE `notes` ADD `note` text;']],
    ['postgres', ['CREATE TABLE "notes" (\n\t"id" text\n);\n', 'ALTER TABLE "notes" ADD COLUMN "note" text;']],
  ] as const) {
    const { folder, number } = STORAGES[storage];
    const [first, second] = [1, 2].map((later) => String(Number(number) + later).padStart(4, '0'));
    const files = migrations(storage);
    expect(Object.keys(files)).toEqual([
      `${folder}/migrations/${first}_expand-notes.sql`,
      `${folder}/migrations/${second}_expand-note-texts.sql`,
      `${folder}/migrations/meta/${second}_snapshot.json`,
      `${folder}/migrations/meta/_journal.json`,
    ]);
    expect(Object.values(files).slice(0, 2)).toEqual(sql);
    const { entries } = JSON.parse(files[`${folder}/migrations/meta/_journal.json`] ?? '');
    expect(entries.map(({ tag, when }: { tag: string; when: number }) => [tag, when])).toEqual([
      [`${number}_nothing`, WHEN],
      [`${first}_expand-notes`, WHEN + 1],
      [`${second}_expand-note-texts`, WHEN + 2],
    ]);
  }
});

test('migration: writes none for a storage whose tables have not changed, and says so', async () => {
  const before = migrations('postgres');
  declareTable('sqlite', 'id');

  const { code, stderr } = await migration('expand-notes');

  expect(code).toBe(0);
  expect(stderr).toContain('storage-postgres: its tables have not changed');
  expect(stderr).toMatch(/storage-sqlite: wrote .*0032_expand-notes.sql\n/);
  expect(migrations('postgres')).toEqual(before);
});

test.each([
  {
    fault: 'the tables of one cannot be read',
    cause: (folder: string) => writeFileSync(join(folder, 'schema.ts'), 'export const notes = pgTable();'),
  },
  {
    fault: 'a file of one cannot be written',
    cause: (folder: string) => mkdirSync(join(folder, 'migrations/meta/_journal.json.part')),
  },
])('migration: changes neither storage if $fault', async ({ cause }) => {
  declareTable('sqlite', 'id');
  declareTable('postgres', 'id');
  cause(folderOf('postgres'));
  const before = migrations();

  expect(await migration('expand-notes')).toMatchObject({ code: 1 });

  expect(migrations()).toEqual(before);
});
