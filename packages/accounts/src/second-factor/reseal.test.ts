import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KEY } from '../../test-support/accounts.ts';
import { sqliteDatabases } from '../../test-support/databases.ts';
import { migrateAccounts } from '../database/migrate.ts';
import { countOlderSecondFactors, resealSecondFactors } from './reseal.ts';

it('re-sealing and counting close the file', async () => {
  const databases = await sqliteDatabases();
  const database = await databases.fresh();
  if (database.kind !== 'sqlite') throw new Error(database.kind);
  await migrateAccounts(database);
  for (const read of [resealSecondFactors, countOlderSecondFactors]) {
    await read({ database, secretKeys: [KEY] });
    // SQLite removes the file when the last connection closes.
    expect(existsSync(`${database.file}-wal`)).toBe(false);
  }
  await databases.close();
});
