import { once } from 'node:events';
import { readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase } from '../../test-support/given-database.ts';
import { run } from '../../test-support/process.ts';
import { aCreateRequest } from '../../test-support/records.ts';
import { createSqliteStorage } from '../sqlite-storage.ts';
import { beginServing, endedUncleanly, lockForServing } from './serving.ts';

// It drops what it was given and collects garbage: a lock is held until it is given back or the process ends.
const SERVE = `
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import { lockForServing } from './src/index.ts';
  lockForServing(process.argv[1]);
  setFlagsFromString('--expose-gc');
  await new Promise((done) => setTimeout(done, 0));
  runInNewContext('gc')();
  await new Promise((done) => setTimeout(done, 0));
  console.log('serving');
  setInterval(() => undefined, 1000);
`;

it('serve lock: refuses a second server until the first ends, even by kill -9', { timeout: 60_000 }, async () => {
  const file = await givenDatabase(onTestFinished);
  const first = run(onTestFinished, SERVE, [file]);
  await first.said('serving');

  expect(() => lockForServing(file)).toThrow(
    expect.objectContaining({ code: 'already_served', message: expect.stringMatching(/^Another server .*\.db$/) }),
  );

  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  lockForServing(file).release();
  expect(readdirSync(dirname(file)).filter((name) => name.includes('journal'))).toEqual([]);
});

it('serve lock: commands run beside the server', async () => {
  const file = await givenDatabase(onTestFinished);
  const lock = lockForServing(file);

  const storage = await createSqliteStorage({ file });
  expect(await storage.verifications.createCharged(aCreateRequest(2))).toEqual({ outcome: 'created' });

  await storage.close();
  lock.release();
});

it('serve lock: also holds within one process and through links, and can be released twice', async () => {
  const file = await givenDatabase(onTestFinished);
  const link = join(dirname(file), 'link.db');
  symlinkSync(file, link);
  const lock = lockForServing(file);

  expect(() => lockForServing(link)).toThrow('already serving');

  lock.release();
  lock.release();
  lockForServing(link).release();
});

it('serve lock: can be taken before the database exists', () => {
  const file = join(temporaryDirectory(onTestFinished), 'data', 'countersign.db');

  lockForServing(file).release();

  expect(readdirSync(dirname(file))).toEqual(['countersign.db-serve.lock']);
});

const BEGIN_SERVING = `
  import { beginServing } from './src/index.ts';
  beginServing(process.argv[1]);
  console.log('serving');
  setInterval(() => undefined, 1000);
`;

it('serving mark: kill -9 leaves it, also after another process has used the database', {
  timeout: 60_000,
}, async () => {
  const file = await givenDatabase(onTestFinished);
  const killed = run(onTestFinished, BEGIN_SERVING, [file]);
  await killed.said('serving');
  expect(endedUncleanly(file)).toBe(false);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const storage = await createSqliteStorage({ file });
  await storage.close();

  expect(endedUncleanly(file)).toBe(true);
  const next = beginServing(file);
  expect(next.isAfterUncleanEnd).toBe(true);
  next.end({ clean: false });
  const checked = beginServing(file);
  expect(checked.isAfterUncleanEnd).toBe(true);
  checked.end({ clean: true });

  expect(endedUncleanly(file)).toBe(false);
  const last = beginServing(file);
  expect(last.isAfterUncleanEnd).toBe(false);
  last.end({ clean: true });
});

it('serving mark: a second server neither sets nor removes it', async () => {
  const file = await givenDatabase(onTestFinished);
  const first = beginServing(file);

  expect(() => beginServing(file)).toThrow('already serving');

  first.end({ clean: false });
  expect(endedUncleanly(file)).toBe(true);
});
