import { createFixedClock } from '@countersign/memory';
import { describeWith } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DATABASES, type Databases, type PlacedDatabase, runIn } from '../../test-support/databases.ts';
import { createStaffManagement, migrateAccounts } from '../index.ts';
import { CREATE_MIGRATIONS_TABLE, MIGRATIONS_TABLE, migrationsFor } from './migrations.ts';

const MIGRATION = '0008_expand-unverified-emails';
const DAY = '2026-11-20T';

/** Creates the tables as they were before the migration. */
async function givenTables(database: PlacedDatabase): Promise<void> {
  await runIn(database, CREATE_MIGRATIONS_TABLE);
  for (const { name, sql, hash } of migrationsFor(database.kind).filter(({ name: each }) => each < MIGRATION)) {
    await runIn(database, sql);
    await runIn(database, `insert into ${MIGRATIONS_TABLE} values ('${name}', '${hash}', '${DAY}10:00:00Z')`);
  }
}

/** Adds a user, with an identity unless `connected` is null, and with a password if `hasPassword`. */
async function givenUser(
  database: PlacedDatabase,
  id: string,
  { made = '10:00:00.000Z', connected = null as string | null, hasPassword = false },
): Promise<void> {
  const at = (time: string) => `'${DAY}${time}'`;
  await runIn(
    database,
    `insert into staff_users (id, name, email, role, created_at, updated_at)
       values ('${id}', '${id}', '${id}@example.com', 'reviewer', ${at(made)}, ${at(made)})`,
  );
  if (connected !== null)
    await runIn(
      database,
      `insert into staff_identities (id, user_id, issuer, subject, created_at)
         values ('${id}', '${id}', 'https://login.example', '${id}', ${at(connected)})`,
    );
  if (hasPassword)
    await runIn(
      database,
      `insert into staff_accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
         values ('${id}', '${id}', '${id}', 'credential', 'a hash', ${at(made)}, ${at(made)})`,
    );
}

for (const [name, needs, open] of DATABASES.slice(0, 2)) {
  describeWith(needs, `an upgrade of users on ${name}`, () => {
    let databases: Databases;
    beforeAll(async () => {
      databases = await open();
    });
    afterAll(() => databases.close());

    it('users whom a provider created and who have no password: their address counts as unverified', async () => {
      const database = await databases.fresh();
      await givenTables(database);
      await givenUser(database, 'provisioned', { connected: '10:00:00.004Z' });
      await givenUser(database, 'provisioned-slowly', { made: '23:59:58.000Z', connected: '23:59:59.900Z' });
      await givenUser(database, 'provisioned-with-password', { connected: '10:00:00.004Z', hasPassword: true });
      await givenUser(database, 'invited', {});
      await givenUser(database, 'invited-with-password', { hasPassword: true });
      await givenUser(database, 'invited-by-provider', { connected: '10:01:00.000Z' });

      expect(await migrateAccounts(database)).toContain(MIGRATION);
      const staff = await createStaffManagement({ database, clock: createFixedClock(new Date()), migrate: false });
      const users = await staff.list();
      const unverified = [];
      for (const { id } of users) if (await staff.identities.hasUnverifiedEmail(id)) unverified.push(id);
      await staff.close();

      expect(users).toHaveLength(6);
      expect(unverified.toSorted()).toEqual(['provisioned', 'provisioned-slowly']);
    });
  });
}
