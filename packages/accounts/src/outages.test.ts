// Kills backends of a real Postgres and waits for new connections.
import { CountersignError } from '@countersign/domain';
import { overwritePageOf } from '@countersign/test-support/installation/database-file';
import { describeWith } from '@countersign/test-support/servers';
import Database from 'better-sqlite3';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { givenAccounts, PASSWORD } from '../test-support/accounts.ts';
import { newBrowser } from '../test-support/browser.ts';
import { type Databases, postgresDatabases, sqliteDatabases } from '../test-support/databases.ts';

describeWith(['postgres'], 'accounts on a Postgres whose backends are killed', () => {
  let databases: Databases;

  beforeAll(async () => {
    databases = await postgresDatabases({ own: true });
  });
  afterAll(() => databases.close());

  it('continue with new connections and answer SERVICE_UNAVAILABLE for lost ones', async () => {
    const database = await databases.fresh();
    if (database.kind !== 'postgres') throw new Error(database.kind);
    const { accounts, user, idOf } = await givenAccounts(database);
    onTestFinished(() => accounts.close());
    const { cookies } = (await user()).visitor;
    const id = await idOf('ann@example.com');
    const killer = postgres(database.url, { max: 1 });
    const kill = () =>
      killer`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign'`;

    /** Single statements, and transactions. */
    const answered = { identify: 0, invite: 0 };
    const codes = new Set<unknown>();
    for (let round = 0; round < 20; round++) {
      const asked = Promise.allSettled(
        Array.from({ length: 10 }, async (_, n) => {
          const call = n < 8 ? 'identify' : 'invite';
          expect(await accounts[call](call === 'identify' ? (cookies ?? '') : id)).not.toBeNull();
          answered[call] += 1;
        }),
      );
      await kill();
      for (const answer of await asked) {
        if (answer.status === 'rejected') codes.add((answer.reason as { code?: unknown }).code);
      }
    }
    await killer.end();

    expect(answered.identify).toBeGreaterThan(0);
    expect(answered.invite).toBeGreaterThan(0);
    for (const code of codes) expect(code).toBe('SERVICE_UNAVAILABLE');
    // A backend that is ending may still answer one call and fail the next.
    await vi.waitFor(async () => expect(await accounts.identify(cookies)).not.toBeNull(), 50_000);
    const browser = newBrowser();
    const again = await accounts.signIn(browser.visitor, { email: 'ann@example.com', password: PASSWORD });
    expect(again.outcome).toBe('signed_in');
  });
});

it("wait for another process's lock on SQLite and then answer SERVICE_UNAVAILABLE", async () => {
  const databases = await sqliteDatabases();
  const database = await databases.fresh();
  if (database.kind !== 'sqlite') throw new Error(database.kind);
  const { accounts } = await givenAccounts(database);
  const other = new Database(database.file);

  other.exec('BEGIN IMMEDIATE');
  const waiting = accounts.create({ email: 'ann@example.com', role: 'reviewer' });
  setTimeout(() => other.exec('ROLLBACK'), 100);
  expect((await waiting).outcome).toBe('created');

  other.exec('BEGIN IMMEDIATE');
  await expect(accounts.create({ email: 'bob@example.com', role: 'reviewer' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  other.exec('ROLLBACK');
  expect(await accounts.list()).toHaveLength(1);
  other.close();
  await accounts.close();
  await databases.close();
});

it('SQLite: a damaged page that a read meets is reported to the write guard, which then stops writes', async () => {
  const databases = await sqliteDatabases();
  const database = await databases.fresh();
  if (database.kind !== 'sqlite') throw new Error(database.kind);
  const sound = await givenAccounts(database);
  const { cookies } = (await sound.user()).visitor;
  await sound.accounts.close();
  overwritePageOf(database.file, 'staff_sessions');
  const damages: unknown[] = [];
  const writeGuard = {
    stopWrites: (cause: unknown) => damages.push(cause),
    requireSound() {
      if (damages.length > 0) throw new CountersignError('SERVICE_UNAVAILABLE');
    },
  };
  const { accounts } = await givenAccounts({ ...database, writeGuard });
  await accounts.create({ email: 'bob@example.com', role: 'reviewer' });
  expect(damages).toEqual([]);

  await expect(accounts.identify(cookies)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

  expect(damages).toEqual([expect.objectContaining({ code: expect.stringMatching(/^SQLITE_(CORRUPT|NOTADB)/) })]);
  await expect(accounts.create({ email: 'eve@example.com', role: 'reviewer' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect((await accounts.list()).map(({ email }) => email).sort()).toEqual(['ann@example.com', 'bob@example.com']);
  await accounts.close();
  await databases.close();
});
