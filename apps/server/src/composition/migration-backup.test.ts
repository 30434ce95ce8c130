import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as Accounts from '@countersign/accounts';
import { everyRow, integrityOf } from '@countersign/test-support/installation/database-file';
import { expect, test, vi } from 'vitest';
import { operatorOfEachTest } from '../../test-support/operator.ts';

const pending = vi.hoisted(() => [] as string[]);

// As a later version of the code sees a database of this one. The migration itself changes nothing.
vi.mock('@countersign/accounts', async (original) => ({
  ...(await original<typeof Accounts>()),
  pendingAccountChanges: async () => pending,
}));

const operator = operatorOfEachTest();

test('a database of an older version is copied before it is migrated, once for each migration', async () => {
  await operator.newClient();
  const file = join(operator.dataDir, 'countersign.db');
  const rows = everyRow(file);
  pending.push('0099_later');

  await operator.json('migrate');

  const copy = `${file}.before-0099_later`;
  expect(everyRow(copy)).toEqual(rows);
  expect(integrityOf(copy)).toBe('ok');
  await operator.run('client', 'list');
  pending.pop();
  await operator.run('client', 'list');
  expect(readdirSync(operator.dataDir).filter((name) => name.includes('.before-'))).toEqual([
    'countersign.db.before-0099_later',
  ]);
});

test('a new database and one of this version are not copied', async () => {
  await operator.json('migrate');
  await operator.newClient();
  await operator.json('migrate');
  expect(existsSync(join(operator.dataDir, 'countersign.db'))).toBe(true);
  expect(readdirSync(operator.dataDir).filter((name) => name.includes('.before-'))).toEqual([]);
});
