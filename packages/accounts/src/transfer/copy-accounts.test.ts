import { existsSync } from 'node:fs';
import { describeWith, type ServerKind } from '@countersign/test-support/servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSecondFactor, type Given, givenAccounts, KEY, PASSWORD } from '../../test-support/accounts.ts';
import { newAuthenticator } from '../../test-support/authenticator.ts';
import { type Browser, newBrowser } from '../../test-support/browser.ts';
import {
  type Databases,
  everythingIn,
  NO_ROWS,
  postgresDatabases,
  rowsOf,
  sqliteDatabases,
} from '../../test-support/databases.ts';
import { nextCodeOf } from '../../test-support/device.ts';
import { copyAccounts } from '../index.ts';

/** The highest signature counter of WebAuthn. */
const COUNTER_MAX = 2 ** 32 - 1;
const IDENTITY = { issuer: 'https://login.example', subject: 'ann' };
const WITHDRAWN = { issuer: 'https://login.example', subject: 'bob' };

/** A copy from one kind of database into another. */
type Copy = readonly [
  name: string,
  needs: readonly ServerKind[],
  sources: () => Promise<Databases>,
  targets: () => Promise<Databases>,
];

const COPIES: readonly Copy[] = [
  ['SQLite into SQLite', [], sqliteDatabases, sqliteDatabases],
  ['SQLite into Postgres', ['postgres'], sqliteDatabases, postgresDatabases],
  ['Postgres into SQLite', ['postgres'], postgresDatabases, sqliteDatabases],
];

describe.each(COPIES)('copying accounts', (name, needs, openSources, openTargets) => {
  describeWith(needs, name, () => {
    let sources: Databases;
    let targets: Databases;

    beforeAll(async () => {
      [sources, targets] = await Promise.all([openSources(), openTargets()]);
    });
    afterAll(async () => {
      await Promise.all([sources.close(), targets.close()]);
    });

    async function withSecondFactor(given: Given): Promise<string> {
      const browser = await given.user();
      const begun = await addSecondFactor(given, browser);
      await addPasskey(given.accounts, browser);
      return begun.secret;
    }

    async function addPasskey({ passkeys, findByEmail }: Given['accounts'], browser: Browser): Promise<void> {
      const user = await findByEmail('ann@example.com');
      if (passkeys === undefined || user === null) throw new Error('there are no passkeys');
      const { options } = browser.keep(await passkeys.beginAdding(browser.visitor, user));
      const response = newAuthenticator().create(options, { counter: COUNTER_MAX });
      const added = await passkeys.finishAdding(browser.visitor, { user, name: 'Laptop', response });
      expect(added.outcome).toBe('added');
    }

    it('a copy has passwords, second factors, passkeys and identities, but neither sessions nor links', async () => {
      const [source, target] = [await sources.fresh(), await targets.fresh()];
      const given = await givenAccounts(source);
      const secret = await withSecondFactor(given);
      await given.accounts.create({
        email: 'bob@example.com',
        role: 'client',
        clientId: 'client-1',
        teamRole: 'viewer',
      });
      await given.accounts.identities.connect(await given.idOf('ann@example.com'), IDENTITY, { kind: 'email' });
      await given.accounts.identities.connect(await given.idOf('bob@example.com'), WITHDRAWN, { kind: 'email' });
      await given.accounts.identities.withdraw(await given.idOf('bob@example.com'));
      await given.accounts.invite(await given.idOf('bob@example.com'));
      await given.accounts.create(
        { email: 'ann@example.com', role: 'client', clientId: 'client-1', teamRole: 'owner' },
        { withholds: true },
      );
      const team = await given.accounts.team('client-1');
      expect(team).toHaveLength(2);
      const staff = await given.accounts.list();
      const identitiesOf = async ({ accounts: { identities } }: Given) =>
        Promise.all([IDENTITY, WITHDRAWN].map((key) => identities.find(key)));
      const identities = await identitiesOf(given);
      expect(identities).toMatchObject([{ withdrawnAt: null }, { withdrawnAt: expect.any(Date) as Date }]);
      await given.accounts.close();

      expect(await copyAccounts(source, target)).toEqual({ rows: 2, written: 2 });
      expect(await copyAccounts(source, target)).toEqual({ rows: 2, written: 0 });

      const moved = await givenAccounts(target, { secretKeys: [KEY] });
      // Users who have not joined yet need a new link.
      expect(await moved.accounts.list()).toEqual(staff.map((user) => ({ ...user, invitedUntil: null })));
      expect(await moved.accounts.team('client-1')).toEqual(team.map((user) => ({ ...user, invitedUntil: null })));
      expect(staff.map(({ teamRole }) => teamRole).sort()).toEqual([null, 'viewer']);
      expect(staff.some(({ invitedUntil }) => invitedUntil !== null)).toBe(true);
      for (const table of ['sessions', 'invitations', 'verifications', 'used_codes']) {
        expect(await rowsOf(target, `select * from staff_${table}`)).toEqual([]);
      }
      expect(await identitiesOf(moved)).toEqual(identities);
      const passkeys = await rowsOf(target, 'select name, counter from staff_passkeys');
      expect(passkeys.map(({ name, counter }) => [name, Number(counter)])).toEqual([['Laptop', COUNTER_MAX]]);
      const browser = newBrowser();
      const asked = browser.keep(
        await moved.accounts.signIn(browser.visitor, { email: 'ann@example.com', password: PASSWORD }),
      );
      expect(asked.outcome).toBe('second_factor_needed');
      expect(
        (await moved.accounts.enterSecondFactor(browser.visitor, nextCodeOf(secret, moved.clock.now()))).outcome,
      ).toBe('signed_in');
      await moved.accounts.close();
    });

    it('a source without accounts creates only the tables in the target', async () => {
      const [source, target] = [await sources.fresh(), await targets.fresh()];
      expect(await copyAccounts(source, target)).toEqual({ rows: 0, written: 0 });
      expect(await everythingIn(target)).toBe(NO_ROWS);
    });

    it('a target with other accounts is refused and not changed', async () => {
      const [source, target] = [await sources.fresh(), await targets.fresh()];
      for (const [database, email] of [
        [source, 'ann@example.com'],
        [target, 'ann@example.com'],
      ] as const) {
        const { accounts } = await givenAccounts(database);
        await accounts.create({ email, role: 'reviewer' });
        await accounts.close();
      }
      const before = await everythingIn(target);
      const error = await copyAccounts(source, target).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        name: 'AccountsCopyError',
        message: expect.stringMatching(/staff_users [0-9a-f-]{36} differs$/),
      });
      expect(String(error)).not.toContain('ann');
      expect(await everythingIn(target)).toBe(before);
    });
  });
});

it('a copy between two files closes both: neither keeps a write-ahead log', async () => {
  const databases = await sqliteDatabases();
  const [source, target] = [await databases.emptied(), await databases.fresh()];
  expect(await copyAccounts(source, target)).toEqual({ rows: 0, written: 0 });
  for (const database of [source, target]) {
    if (database.kind !== 'sqlite') throw new Error(database.kind);
    expect(existsSync(`${database.file}-wal`)).toBe(false);
  }
  await databases.close();
});
