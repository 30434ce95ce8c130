// Waits until connections that nothing answers reach their deadline.
import net from 'node:net';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { it, onTestFinished } from 'vitest';
import { expectRefusal, portOf } from '../../test-support/open-errors.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { migratePostgres } from '../postgres-storage.ts';

it('something listens and never answers', async () => {
  const port = await portOf(net.createServer(() => undefined));

  await expectRefusal(`postgres://user:secret@127.0.0.1:${port}/db`, 'unreachable', 'in time');
});

describeWith(['postgres'], 'a real Postgres', () => {
  const server = givenPostgres();

  it('a database that does not answer because of a lock is refused', async () => {
    const url = await server.createDatabase();
    await migratePostgres({ url });
    const raw = rawConnection(onTestFinished, url);
    await raw.unsafe('begin; lock table countersign_migrations in access exclusive mode');

    await expectRefusal(url, 'unreachable', 'did not answer within 5 s');
  });
});
