import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../test-support/given-database.ts';
import { run } from '../test-support/process.ts';
import { createSqliteStorage } from './sqlite-storage.ts';

const WRITE = `
  import { createSqliteStorage } from './src/index.ts';
  import { aCreateRequest } from './test-support/records.ts';
  const storage = await createSqliteStorage({ file: process.argv[1] });
  let n = 1;
  const write = async () => {
    for (;;) {
      const request = aCreateRequest((n += 1));
      await storage.verifications.createCharged(request);
      console.log('kept', request.record.id);
    }
  };
  await Promise.all(Array.from({ length: 16 }, write));
`;

it('a storage killed while it writes keeps every acknowledged write and no partial one', {
  timeout: 60_000,
}, async () => {
  const file = await givenDatabase(onTestFinished);
  const writer = run(onTestFinished, WRITE, [file]);
  await writer.said('kept verification-300');

  writer.child.kill('SIGKILL');
  await once(writer.child, 'exit');
  const { output } = await writer.ended;

  const storage = await createSqliteStorage({ file });
  expect((await storage.inspect()).integrity).toBe('ok');
  const connection = rawConnection(onTestFinished, file);
  const ids = connection.prepare<[], string>('SELECT id FROM verifications').pluck().all();
  const acknowledged = [...output.matchAll(/^kept (\S+)\n/gm)].map(([, id]) => id);
  expect(acknowledged.filter((id) => !ids.includes(id ?? ''))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(299);
  expect(connection.prepare('SELECT used FROM usage').pluck().get()).toBe(ids.length);
  expect(connection.prepare('SELECT count(*) FROM verification_events').pluck().get()).toBe(ids.length);
  await storage.close();
});
