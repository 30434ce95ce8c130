import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { aCreateRequest } from '../../test-support/records.ts';
import { createSqliteStorage } from '../sqlite-storage.ts';

it('backup: copies a consistent snapshot while other processes write', async () => {
  const file = await givenDatabase(onTestFinished, { verifications: 2_000 });
  const [storage, other] = [await createSqliteStorage({ file }), await createSqliteStorage({ file })];
  const target = join(temporaryDirectory(onTestFinished), 'backup.db');
  let isDone = false;
  let n = 2_000;

  const backup = storage.backup(target).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    n += 1;
    await other.verifications.createCharged(aCreateRequest(n));
  }
  await backup;

  expect(n).toBeGreaterThan(2_001);
  await Promise.all([storage.close(), other.close()]);
  const copy = await createSqliteStorage({ file: target, migrate: false });
  expect((await copy.inspect()).integrity).toBe('ok');
  await copy.close();
  const connection = rawConnection(onTestFinished, target);
  const rows = Number(connection.prepare('SELECT count(*) FROM verifications').pluck().get());
  expect(connection.prepare('SELECT used FROM usage').pluck().get()).toBe(rows);
  expect(rows).toBeGreaterThanOrEqual(2_000);
  expect(rows).toBeLessThan(n);
});

it('backup: other work runs while the copy is checked', async () => {
  const file = await givenDatabase(onTestFinished, { verifications: 200 });
  // 4 MB.
  rawConnection(onTestFinished, file).exec(
    `UPDATE verifications SET metadata = '{"padding":"' || printf('%020000d', 0) || '"}'`,
  );
  const storage = await createSqliteStorage({ file });
  let iterations = 0;
  let isDone = false;
  let copiedAt = 0;
  const count = () => {
    iterations += 1;
    if (!isDone) setImmediate(count);
  };
  count();

  await storage.backup(join(temporaryDirectory(onTestFinished), 'backup.db'), ({ done, total }) => {
    if (done === total) copiedAt = iterations;
  });
  isDone = true;

  // Starting the thread alone takes many.
  expect(iterations - copiedAt).toBeGreaterThan(20);
  await storage.close();
});

it('backup: is readable by its owner only and leaves no other file', async () => {
  const storage = await createSqliteStorage({ file: await givenDatabase(onTestFinished) });
  const target = join(temporaryDirectory(onTestFinished), 'backup.db');

  await storage.backup(target);

  expect(readdirSync(dirname(target))).toEqual(['backup.db']);
  expect(statSync(target).mode & 0o777).toBe(0o600);
  await storage.close();
});

it.each([
  ['a target that exists', 'taken.db', 'exists already'],
  ['a directory that does not exist', 'no/such/backup.db', '/no/such'],
])('backup: refuses %s', async (_, name, message) => {
  const storage = await createSqliteStorage({ file: await givenDatabase(onTestFinished) });
  const directory = temporaryDirectory(onTestFinished);
  writeFileSync(join(directory, 'taken.db'), 'mine');

  const backup = storage.backup(join(directory, name));

  await expect(backup).rejects.toMatchObject({
    name: 'SqliteBackupError',
    message: expect.stringMatching(new RegExp(`^The backup [^ ]+ .*${message}`)),
  });
  await expect(backup).rejects.not.toThrow('partial');
  expect(readdirSync(directory)).toEqual(['taken.db']);
  expect(statSync(join(directory, 'taken.db')).size).toBe(4);
  await storage.close();
});

it('backup: refuses a damaged database', async () => {
  const file = await givenDatabase(onTestFinished, { verifications: 2_000 });
  const connection = rawConnection(onTestFinished, file);
  connection.unsafeMode();
  connection.pragma('writable_schema = ON');
  connection.exec("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'verifications_groups'");
  connection.close();
  const storage = await createSqliteStorage({ file });
  const directory = temporaryDirectory(onTestFinished);

  await expect(storage.backup(join(directory, 'backup.db'))).rejects.toThrow('the database is damaged');

  expect(readdirSync(directory)).toEqual([]);
  await storage.close();
});
