// Starts the launcher for each case, which compares the tables of two storages.
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Finished } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeEach, expect, test } from 'vitest';
import { launchIn, makeTree } from './made-tree.ts';

/** An entry of the journal from a clock that was far ahead. */
const WHEN = 9_999_999_999_999;
const PARTS = { tables: {}, enums: {}, views: {} };

/** Two storages with one migration, which creates nothing. */
const STORAGES = {
  sqlite: { folder: 'packages/storage-sqlite', dialect: 'sqlite', version: '6', number: '0031', parts: PARTS },
  postgres: {
    folder: 'packages/storage-postgres',
    dialect: 'postgresql',
    version: '7',
    number: '0040',
    parts: { ...PARTS, schemas: {}, sequences: {}, roles: {}, policies: {} },
  },
};
type Storage = keyof typeof STORAGES;

let root: string;

beforeEach(() => {
  root = temporaryFolder(tmpdir());
  makeTree(root, { ...filesOf('sqlite'), ...filesOf('postgres') });
  for (const { folder } of Object.values(STORAGES)) {
    const modules = join(import.meta.dirname, '../..', folder, 'node_modules');
    symlinkSync(modules, join(root, folder, 'node_modules'));
  }
});

function filesOf(storage: Storage): Record<string, string> {
  const { folder, dialect, version, number, parts } = STORAGES[storage];
  const meta = { schemas: {}, tables: {}, columns: {} };
  const snapshot = { ...parts, version, dialect, id: 'first', prevId: 'none', _meta: meta };
  const entry = { idx: Number(number), version, when: WHEN, tag: `${number}_nothing`, breakpoints: true };
  return {
    [`${folder}/package.json`]: '{ "type": "module" }',
    [`${folder}/drizzle.config.ts`]: "export default { schema: './schema.ts' };",
    [`${folder}/schema.ts`]: '',
    [`${folder}/migrations/meta/${number}_snapshot.json`]: JSON.stringify(snapshot),
    [`${folder}/migrations/meta/_journal.json`]: JSON.stringify({ dialect, entries: [entry] }),
  };
}

function declareTable(storage: Storage, ...columns: string[]): void {
  const [library, table] = storage === 'sqlite' ? ['sqlite', 'sqliteTable'] : ['pg', 'pgTable'];
  const declared = columns.map((name) => `${name}: text('${name}')`);
  const source = `import { ${table}, text } from 'drizzle-orm/${library}-core';
    export const notes = ${table}('notes', { ${declared.join(', ')} });`;
  writeFileSync(join(root, STORAGES[storage].folder, 'schema.ts'), source);
}

function migration(...args: string[]): Promise<Finished> {
  return launchIn(root, ['migration', ...args]).finished;
}

/** Returns the paths below `migrations` of a storage, or of both, and the text of each. */
function migrations(storage = '*'): Record<string, string> {
  const found = globSync(`packages/storage-${storage}/migrations/**`, { cwd: root, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

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

test('migration --empty: writes an empty one for SQL by hand, for this storage only', async () => {
  const before = migrations('sqlite');

  expect(await migration('expand-triggers', '--empty', 'postgres')).toMatchObject({ code: 0 });

  expect(Object.keys(migrations('postgres'))).toContain(
    'packages/storage-postgres/migrations/0041_expand-triggers.sql',
  );
  expect(migrations('sqlite')).toEqual(before);
});

test.each([
  { args: [], says: 'Usage: npm run migration -- NAME' },
  { args: ['expand-notes', 'more'], says: 'Usage: npm run migration -- NAME' },
  { args: ['expand-notes', '--empty', 'mysql'], says: 'Usage: npm run migration -- NAME' },
  { args: ['Expand_notes'], says: 'The name "Expand_notes" is not in kebab-case' },
  { args: ['../notes'], says: 'The name "../notes" is not in kebab-case' },
  { args: ['nothing'], says: 'storage-sqlite already has the migration 0031_nothing' },
])('migration $args: is refused and changes nothing', async ({ args, says }) => {
  declareTable('sqlite', 'id');
  const before = migrations();

  const { code, stderr } = await migration(...args);

  expect(code).toBe(1);
  expect(stderr).toContain(says);
  expect(migrations()).toEqual(before);
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
  cause(join(root, STORAGES.postgres.folder));
  const before = migrations();

  expect(await migration('expand-notes')).toMatchObject({ code: 1 });

  expect(migrations()).toEqual(before);
});

test.each([
  { stage: 'before its first rename', left: ['migrations/0032_expand-notes.sql.part'] },
  { stage: 'before it renamed the snapshot', left: ['migrations/0032_expand-notes.sql'] },
  {
    stage: 'before it renamed the journal',
    left: ['migrations/0032_expand-notes.sql', 'migrations/meta/0032_snapshot.json'],
  },
  { stage: 'before it removed the last snapshot', left: ['migrations/meta/0030_snapshot.json'] },
])(
  'migration: after a run that was killed $stage, names the files to delete and changes nothing',
  async ({ left }) => {
    declareTable('sqlite', 'id');
    const folder = STORAGES.sqlite.folder;
    for (const file of left) writeFileSync(join(root, folder, file), '');
    const before = migrations();

    const { code, stderr } = await migration('expand-notes');

    expect(code).toBe(1);
    expect(stderr).toContain(
      `does not name ${left.map((file) => `${folder}/${file}`).join(', ')}: an earlier run was interrupted.`,
    );
    expect(migrations()).toEqual(before);
  },
);
