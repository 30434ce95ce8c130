import { createFixedClock } from '@countersign/memory';
import { connectPostgres } from '@countersign/storage-postgres';
import { describeWith } from '@countersign/test-support/servers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DATABASES, type Databases, type PlacedDatabase, rowsOf, runIn } from '../../test-support/databases.ts';
import { createStaffManagement, migrateAccounts } from '../index.ts';
// Mutation tests leave out what runs only while a module loads, so no test may be the first to load it.
import './migrate-postgres.ts';
import { CREATE_MIGRATIONS_TABLE, MIGRATIONS_TABLE } from './migrations.ts';

const NAMES = [
  '0000_accounts',
  '0001_expand-user-locale',
  '0002_expand-second-factor-time',
  '0003_expand-identities',
  '0004_expand-password-allowed',
  '0005_expand-passkeys',
  '0006_expand-session-identities',
  '0007_expand-ended-mark',
  '0008_expand-unverified-emails',
  '0009_expand-withheld-invitations',
];

for (const [name, needs, open] of DATABASES) {
  describeWith(needs, `tables of accounts on ${name}`, () => {
    let databases: Databases;
    let database: PlacedDatabase;
    const openWithout = () =>
      createStaffManagement({ database, clock: createFixedClock(new Date()), migrate: false });

    beforeAll(async () => {
      databases = await open();
    });
    beforeEach(async () => {
      database = await databases.fresh();
    });
    afterAll(() => databases.close());

    it('five processes at once create the tables once', async () => {
      const applied = await Promise.all(Array.from({ length: 5 }, () => migrateAccounts(database)));
      expect(applied.filter((names) => names.length > 0)).toEqual([NAMES]);
      expect(await migrateAccounts(database)).toEqual([]);
      const rows = await rowsOf(database, 'select name, hash from staff_migrations');
      expect(rows).toEqual(
        NAMES.map((name) => ({ name, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string })),
      );
      const staff = await openWithout();
      expect(await staff.list()).toEqual([]);
      await staff.close();
    });

    it('migrate: false refuses missing tables and says how to create them', async () => {
      await expect(openWithout()).rejects.toMatchObject({
        name: 'AccountsOpenError',
        code: 'outdated',
        message: 'The tables of accounts need migrations: run `countersign migrate`',
      });
    });

    it('tables of a newer version are refused and unchanged', async () => {
      await migrateAccounts(database);
      await rowsOf(
        database,
        "insert into staff_migrations (name, hash, applied_at) values ('9999_later', 'x', 'x')",
      );
      await expect(migrateAccounts(database)).rejects.toMatchObject({ code: 'newer_version' });
      await expect(openWithout()).rejects.toMatchObject({ code: 'newer_version' });
    });

    it('a database of a development version is refused in one line and unchanged', async () => {
      await runIn(
        database,
        `${CREATE_MIGRATIONS_TABLE};
        insert into ${MIGRATIONS_TABLE} (name, hash, applied_at) values ('0000_staff', 'x', 'x')`,
      );
      const refusal = {
        code: 'older_version',
        message: expect.stringMatching(/^The tables of accounts were made by a development version .+$/) as string,
      };
      await expect(migrateAccounts(database)).rejects.toMatchObject(refusal);
      await expect(openWithout()).rejects.toMatchObject(refusal);
      expect(await rowsOf(database, `select name from ${MIGRATIONS_TABLE}`)).toEqual([{ name: '0000_staff' }]);
    });

    it('a failed migration leaves nothing behind', async () => {
      await rowsOf(database, 'create table staff_used_codes (mine text)');
      await expect(migrateAccounts(database)).rejects.toMatchObject({ code: 'migration_failed' });
      await expect(rowsOf(database, 'select * from staff_users')).rejects.toThrow(/staff_users/);
    });
  });
}

it('a missing file is not created', async () => {
  await expect(migrateAccounts({ kind: 'sqlite', file: '/nowhere/at-all.db' })).rejects.toMatchObject({
    code: 'missing',
  });
});

it('an unreachable server is reported in one line without the password', async () => {
  const connections = connectPostgres({ url: 'postgres://somebody:hunter2@127.0.0.1:1/x' });
  await expect(migrateAccounts({ kind: 'postgres', connections })).rejects.toMatchObject({
    code: 'unreachable',
    message: 'Nothing answers at 127.0.0.1:1: the connection was refused',
  });
});
