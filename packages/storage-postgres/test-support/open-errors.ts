import { once } from 'node:events';
import type net from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { createPostgresStorage } from '../src/postgres-storage.ts';

/** Expects that a storage does not open, with an error of one line that quotes no password. */
export async function expectRefusal(url: string, code: string, words: string): Promise<void> {
  const opening = createPostgresStorage({ url });
  await expect(opening).rejects.toMatchObject({ name: 'PostgresOpenError', code });
  const error = await opening.catch((reason: Error) => reason);
  const { message, cause } = error as Error;
  expect(message).toContain(words);
  expect(message).not.toContain('\n');
  expect(`${message} ${String(cause)} ${JSON.stringify(cause)}`).not.toContain('secret');
}

/** Returns the port of a server on this machine, or one at which a server listened before. */
export async function portOf(server: net.Server, isClosed = false): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  if (isClosed) server.close();
  else onTestFinished(() => void server.close());
  return port;
}
