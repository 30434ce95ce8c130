import { connectPostgres } from '@countersign/storage-postgres';
import {
  describeWith,
  type PgBouncerServer,
  type PostgresServer,
  startPgBouncer,
  startPostgres,
} from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { addSecondFactor, givenAccounts, PASSWORD } from '../test-support/accounts.ts';
import { newBrowser } from '../test-support/browser.ts';
import { nextCodeOf } from '../test-support/device.ts';
import { createPasswords } from './credentials/passwords.ts';

describeWith(['postgres', 'pgbouncer'], 'accounts on Postgres behind PgBouncer', () => {
  let server: PostgresServer;
  let pooler: PgBouncerServer;

  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
    pooler = await startPgBouncer(await server.createDatabase());
  });
  afterAll(async () => {
    await pooler.stop();
    await server.stop();
  });

  it('works in transaction mode, many calls at once too', async () => {
    const given = await givenAccounts(
      { kind: 'postgres', connections: connectPostgres({ url: pooler.url, namedStatements: false }) },
      { passwords: createPasswords() },
    );
    const { accounts, user, clock } = given;
    onTestFinished(() => accounts.close());
    const [browser] = await Promise.all(
      ['ann', 'bob', 'cleo', 'dan'].map((name) => user({ email: `${name}@example.com` })),
    );
    if (browser === undefined) throw new Error('user not found');
    const begun = await addSecondFactor(given, browser);

    const other = newBrowser();
    const asked = other.keep(
      await accounts.signIn(other.visitor, { email: 'ann@example.com', password: PASSWORD }),
    );
    expect(asked.outcome).toBe('second_factor_needed');
    const entered = other.keep(
      await accounts.enterSecondFactor(other.visitor, nextCodeOf(begun.secret, clock.now())),
    );
    expect(entered.outcome).toBe('signed_in');

    const { cookies } = other.visitor;
    const known = await Promise.all(Array.from({ length: 50 }, () => accounts.identify(cookies)));
    expect(new Set(known.map((session) => session?.user.email))).toEqual(new Set(['ann@example.com']));
    await accounts.signOut(other.visitor);
    expect(await accounts.identify(cookies)).toBeNull();
    expect(await accounts.list()).toHaveLength(4);
  });
});
