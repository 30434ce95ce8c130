import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../test-support/given-database.ts';
import { run } from '../test-support/process.ts';
import { aCreateRequest, CLIENT } from '../test-support/records.ts';
import { createSqliteStorage, type SqliteStorage } from './sqlite-storage.ts';

const DAMAGED = { code: 'SERVICE_UNAVAILABLE', message: 'The database is damaged: restore a backup' };

/** A database in which the page of this table or index is overwritten. */
async function givenDamaged(name: string): Promise<string> {
  const file = await givenDatabase(onTestFinished, { verifications: 3 });
  const connection = rawConnection(onTestFinished, file);
  const page = Number(connection.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(name));
  const size = Number(connection.pragma('page_size', { simple: true }));
  connection.close();
  writeFileSync(file, readFileSync(file).fill(0xee, (page - 1) * size, page * size));
  return file;
}

async function expectStopped(storage: SqliteStorage): Promise<void> {
  await expect(storage.ping()).rejects.toMatchObject(DAMAGED);
  await expect(
    storage.clients.create({ client: { ...CLIENT, id: 'client-2' }, subscription: null }),
  ).rejects.toMatchObject(DAMAGED);
  expect((await storage.clients.list()).map(({ client }) => client.id)).toEqual([CLIENT.id]);
}

it('a read that meets a damaged page stops writes and makes ping reject; other reads succeed', async () => {
  const storage = await createSqliteStorage({ file: await givenDamaged('verifications') });
  await storage.ping();

  await expect(storage.verifications.find(CLIENT.id, 'verification-1')).rejects.toMatchObject(DAMAGED);

  await expectStopped(storage);
  await storage.close();
});

it('a write that meets a damaged page keeps nothing and stops later writes', async () => {
  const storage = await createSqliteStorage({ file: await givenDamaged('verifications_groups') });

  await expect(storage.verifications.createCharged(aCreateRequest(9))).rejects.toMatchObject(DAMAGED);

  await expectStopped(storage);
  expect(await storage.verifications.find(CLIENT.id, 'verification-9')).toBeNull();
  await storage.close();
});

it('quickCheck: finds damage before it returns, and stops writes', async () => {
  const storage = await createSqliteStorage({ file: await givenDamaged('verifications_groups') });

  expect(storage.quickCheck()).toMatchObject({
    isDone: true,
    found: [expect.any(String), expect.stringContaining('verifications_groups')],
  });

  await expectStopped(storage);
  await storage.close();
});

it('quickCheck: checks a large file in a thread of its own', async () => {
  const storage = await createSqliteStorage({ file: await givenDamaged('verifications_groups') });

  const check = storage.quickCheck({ apartFrom: 0 });
  await storage.ping();
  expect(check.isDone).toBe(false);
  expect(await check.found).not.toBe('ok');

  await expectStopped(storage);
  await storage.close();
});

it.each([0, 1_000_000_000])(
  'quickCheck: finds a sound database in order, apart from %d bytes',
  async (apartFrom) => {
    const storage = await createSqliteStorage({ file: await givenDatabase(onTestFinished) });
    expect(await storage.quickCheck({ apartFrom }).found).toBe('ok');
    await storage.ping();
    await storage.close();
  },
);

const CHECK_APART = `
  import { createSqliteStorage } from './src/index.ts';
  const storage = await createSqliteStorage({ file: process.argv[1] });
  const keepRunning = setInterval(() => undefined, 60_000);
  console.log(await storage.quickCheck({ apartFrom: 0 }).found.catch(({ message }) => message));
  clearInterval(keepRunning);
  await storage.close();
`;

it('quickCheck: its thread does not take over options of the process, such as --input-type=module', async () => {
  const file = await givenDatabase(onTestFinished);
  const { output, errors } = await run(onTestFinished, CHECK_APART, [file]).ended;
  expect([output, errors]).toEqual(['ok\n', '']);
});

it('stopWrites: damage that another connection found stops writes here', async () => {
  const storage = await createSqliteStorage({ file: await givenDatabase(onTestFinished) });
  expect(storage.isSound()).toBe(true);
  storage.requireSound();

  storage.stopWrites(new Error('database disk image is malformed'));

  expect(storage.isSound()).toBe(false);
  expect(() => storage.requireSound()).toThrow(expect.objectContaining(DAMAGED));
  await expectStopped(storage);
  await storage.close();
});
