import net from 'node:net';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { expectRefusal, portOf } from '../../test-support/open-errors.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { createPostgresStorage } from '../postgres-storage.ts';

it.each([
  ['mysql://user:secret@localhost/db', 'has to look like postgres://'],
  ['secret', 'has to look like postgres://'],
  ['postgres://user:secret@one,two/db', 'several hosts'],
  ['postgres://localhost/db', 'names no user'],
  ['postgres://user:secret@localhost/db?schema=public', 'has the parameter schema'],
  ['postgres://user:secret@localhost/db?target_session_attrs=any', 'has the parameter target_session_attrs'],
  ['postgres://user:secret@localhost/db?sslmode=maybe', 'its sslmode has to be one of disable'],
  ['postgres://user:secret@localhost/%', 'a % that encodes nothing'],
])('a URL such as %s is refused, and not quoted', async (url, reason) => {
  const opening = createPostgresStorage({ url });

  await expect(opening).rejects.toMatchObject({ name: 'PostgresOpenError', code: 'invalid_url' });
  await expect(opening).rejects.toThrow(reason);
  await expect(opening).rejects.not.toThrow('secret');
});

it('nothing listens there', async () => {
  const port = await portOf(net.createServer(), true);

  await expectRefusal(`postgres://user:secret@127.0.0.1:${port}/db`, 'unreachable', `127.0.0.1:${port}`);
});

it('something listens that is no Postgres', async () => {
  const port = await portOf(net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));

  await expectRefusal(`postgres://user:secret@127.0.0.1:${port}/db`, 'unreachable', 'failed');
});

it('the host has no address', async () => {
  await expectRefusal('postgres://user:secret@no-such-host.invalid/db', 'unreachable', 'no-such-host.invalid');
});

describeWith(['postgres'], 'a real Postgres', () => {
  // A server that requires passwords and has the users of this test.
  const server = givenPostgres({ fsync: false, own: true });

  async function urlWith(change: (url: URL) => void): Promise<string> {
    const url = new URL(await server.createDatabase());
    change(url);
    return url.href;
  }

  it('refuses the password', async () => {
    const url = await urlWith((one) => {
      one.password = 'secret';
    });

    await expectRefusal(url, 'access_denied', 'does not let in user countersign');
  });

  it('a database that does not exist is refused', async () => {
    const url = await urlWith((one) => {
      one.pathname = '/nowhere';
    });

    await expectRefusal(url, 'database_missing', 'There is no database nowhere');
  });

  it('a server without encryption is refused if the URL requires it', async () => {
    const url = await urlWith((one) => {
      one.search = '?sslmode=require';
    });

    await expectRefusal(url, 'tls_failed', 'does not offer it');
  });

  it('a server older than the oldest supported version is refused', async () => {
    const url = await server.createDatabase();
    const raw = rawConnection(onTestFinished, url);
    // A server of another version answers just this one question differently.
    await raw.unsafe(`create schema older; create function older.current_setting(text) returns text
      language sql as $$ select '140005' $$`);
    await raw.unsafe(
      `alter database "${new URL(url).pathname.slice(1)}" set search_path = older, pg_catalog, public`,
    );

    await expectRefusal(url, 'server_too_old', 'is Postgres 14, and 15 or newer is needed');
  });

  it('a user who may not create tables is refused', async () => {
    const url = await server.createDatabase();
    const raw = rawConnection(onTestFinished, url);
    await raw.unsafe("create role guest login password 'secret'");
    const guest = new URL(url);
    guest.username = 'guest';
    guest.password = 'secret';

    await expectRefusal(guest.href, 'no_permission', 'User guest may not create tables');
  });
});
