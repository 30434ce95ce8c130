import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { everyRow, integrityOf } from '@countersign/test-support/installation/database-file';
import { expect, test } from 'vitest';
import { operatorOfEachTest } from '../../test-support/operator.ts';
import { backUpBeforeMigrating } from './migration-backup.ts';

const operator = operatorOfEachTest();
const copiesIn = (folder: string) => readdirSync(folder).filter((name) => name.includes('.before-'));

test('backUpBeforeMigrating: copies a database that lacks migrations, and replaces an older copy', async () => {
  await operator.newClient();
  const file = join(operator.dataDir, 'countersign.db');
  const later = async () => ['0099_later', '0100_latest'];
  await backUpBeforeMigrating(file, later);
  await operator.newClient();
  const rows = everyRow(file);

  await backUpBeforeMigrating(file, later);

  expect(copiesIn(operator.dataDir)).toEqual(['countersign.db.before-0099_later']);
  const copy = `${file}.before-0099_later`;
  expect(everyRow(copy)).toEqual(rows);
  expect(integrityOf(copy)).toBe('ok');
});

test('a new database and one of this version are not copied', async () => {
  await operator.json('migrate');
  await operator.newClient();
  await operator.json('migrate');
  expect(existsSync(join(operator.dataDir, 'countersign.db'))).toBe(true);
  expect(copiesIn(operator.dataDir)).toEqual([]);
});
