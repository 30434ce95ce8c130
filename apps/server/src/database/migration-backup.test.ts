import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { define, everyRow, integrityOf, rowsOf } from '@countersign/test-support/installation/database-file';
import { expect, test } from 'vitest';
import { operatorOfEachTest } from '../../test-support/operator.ts';
import { copyBeforeMigration, migrateAfterCopy } from './migration-backup.ts';

const operator = operatorOfEachTest();
const copiesIn = (folder: string) => readdirSync(folder).filter((name) => name.includes('.before-'));

test('copyBeforeMigration: keeps an older copy, and makes no second one of the same content', async () => {
  await operator.newClient();
  const file = join(operator.dataDir, 'countersign.db');
  await copyBeforeMigration(file, '0099_later');
  const older = everyRow(file);

  await copyBeforeMigration(file, '0099_later');
  expect(copiesIn(operator.dataDir)).toEqual(['countersign.db.before-0099_later']);

  await operator.newClient();
  await copyBeforeMigration(file, '0099_later');
  expect(copiesIn(operator.dataDir)).toEqual([
    'countersign.db.before-0099_later',
    'countersign.db.before-0099_later-2',
  ]);
  expect(everyRow(`${file}.before-0099_later`)).toEqual(older);
  const latest = `${file}.before-0099_later-2`;
  expect(everyRow(latest)).toEqual(everyRow(file));
  expect(integrityOf(latest)).toBe('ok');
});

/** A pending migration that adds a column, with the number of its runs. */
function laterMigration() {
  const hasColumn = (file: string) =>
    rowsOf(file, "SELECT name FROM pragma_table_info('clients') WHERE name = 'added'").length > 0;
  let runs = 0;
  return {
    hasColumn,
    runs: () => runs,
    pending: async (file: string) => (hasColumn(file) ? [] : ['0099_later']),
    async apply(file: string) {
      runs += 1;
      define(file, 'ALTER TABLE clients ADD COLUMN added TEXT');
      return ['0099_later'];
    },
  };
}

test('migrateAfterCopy: of two processes at once, one copies and migrates; the copy is never replaced', async () => {
  await operator.newClient();
  const file = join(operator.dataDir, 'countersign.db');
  const later = laterMigration();

  const applied = await Promise.all([migrateAfterCopy(file, later), migrateAfterCopy(file, later)]);

  expect(applied.flat()).toEqual(['0099_later']);
  expect(later.runs()).toBe(1);
  expect(copiesIn(operator.dataDir)).toEqual(['countersign.db.before-0099_later']);
  expect(later.hasColumn(file)).toBe(true);
  expect(later.hasColumn(`${file}.before-0099_later`)).toBe(false);
});

test('migrateAfterCopy: a migration that fails again and again leaves one copy', async () => {
  await operator.newClient();
  const file = join(operator.dataDir, 'countersign.db');
  const apply = () => Promise.reject(new Error('The migration failed'));

  for (let attempt = 1; attempt <= 3; attempt++) {
    await expect(migrateAfterCopy(file, { ...laterMigration(), apply })).rejects.toThrow('The migration failed');
  }

  expect(copiesIn(operator.dataDir)).toEqual(['countersign.db.before-0099_later']);
});

test('a new database and one of this version are not copied', async () => {
  await operator.json('migrate');
  await operator.newClient();
  await operator.json('migrate');
  expect(existsSync(join(operator.dataDir, 'countersign.db'))).toBe(true);
  expect(copiesIn(operator.dataDir)).toEqual([]);
});
