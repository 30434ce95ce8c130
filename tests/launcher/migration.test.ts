import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declareTable, folderOf, makeStorages, migration, migrations, STORAGES } from './made-storages.ts';

makeStorages();

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
    const { folder } = STORAGES.sqlite;
    for (const file of left) writeFileSync(join(folderOf('sqlite'), file), '');
    const before = migrations();

    const { code, stderr } = await migration('expand-notes');

    expect(code).toBe(1);
    expect(stderr).toContain(
      `does not name ${left.map((file) => `${folder}/${file}`).join(', ')}: an earlier run was interrupted.`,
    );
    expect(migrations()).toEqual(before);
  },
);
