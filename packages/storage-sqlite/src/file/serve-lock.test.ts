import { once } from 'node:events';
import { readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase } from '../../test-support/given-database.ts';
import { run } from '../../test-support/process.ts';
import { aCreateRequest } from '../../test-support/records.ts';
import { createSqliteStorage } from '../sqlite-storage.ts';
import { lockForServing } from './locks.ts';

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
