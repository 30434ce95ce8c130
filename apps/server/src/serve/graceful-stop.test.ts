import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../test-support/local-server.ts';
import { openRawConnection } from '../../test-support/raw-connection.ts';
import { drainServer, stopServer } from './graceful-stop.ts';

let local: LocalServer;
beforeEach(async () => {
  local = await startLocalServer();
});

const BODY = '{"subjectType":"kyc","subjectReference":"slow"}';

/** Begins a creation and leaves its body unsent. */
async function beginCreation() {
  const key = await local.newKey();
  const connection = await openRawConnection(local.port);
  connection.send(
    `POST /api/v1/verifications HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 10)}`,
  );
  await reaches(() => [...local.connections.values()].some(({ unfinished }) => unfinished.length > 0));
  return connection;
}

async function reaches(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(5);
}

test('stopServer: stops immediately with only idle and unused connections', async () => {
  const idle = await openRawConnection(local.port);
  idle.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await idle.receive('ok');
  const unused = await openRawConnection(local.port);
  await reaches(() => local.connections.size === 2);
  const startedAt = performance.now();

  expect(await stopServer(local.server, local.connections)).toEqual({ finished: true });

  expect(performance.now() - startedAt).toBeLessThan(3_000);
  await Promise.all([idle.closed, unused.closed]);
});

test('stopServer: a running request finishes and its connection closes', async () => {
  const running = await beginCreation();

  const stopped = stopServer(local.server, local.connections);
  await expect(openRawConnection(local.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  running.send(BODY.slice(10));

  const received = await running.closed;
  expect(received).toContain('HTTP/1.1 201 Created');
  expect(received).toMatch(/\r\nconnection: close\r\n/i);
  expect(await stopped).toEqual({ finished: true });
});

test('stopServer: cuts off a request that exceeds its time limit', async () => {
  const running = await beginCreation();

  expect(await stopServer(local.server, local.connections, { running: 100, arriving: 50 })).toEqual({
    finished: false,
  });

  expect(await running.closed).toBe('');
});

test('stopServer: waits less for an incomplete request', async () => {
  const arriving = await openRawConnection(local.port);
  arriving.send('GET /healthz HTTP/1.1\r\n');
  await reaches(() => [...local.connections.keys()].some((socket) => socket.bytesRead > 0));

  expect(await stopServer(local.server, local.connections, { running: 30_000, arriving: 100 })).toEqual({
    finished: true,
  });

  expect(await arriving.closed).toBe('');
});

test('stopServer: answers a request on an open connection with Connection: close', async () => {
  const arriving = await openRawConnection(local.port);
  arriving.send('GET /healthz HTTP/1.1\r\n');
  await reaches(() => [...local.connections.keys()].some((socket) => socket.bytesRead > 0));

  const stopped = stopServer(local.server, local.connections);
  arriving.send('Host: x\r\n\r\n');

  expect(await arriving.closed).toMatch(/^HTTP\/1\.1 200 OK\r\n(.*\r\n)*connection: close\r\n/i);
  expect(await stopped).toEqual({ finished: true });
});

test('drainServer: takes new connections, and closes each after its response', async () => {
  const open = await openRawConnection(local.port);
  open.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await open.receive('ok');

  const drained = drainServer(local.server, local.connections, 500);
  open.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const late = await openRawConnection(local.port);
  late.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');

  for (const connection of [open, late]) {
    expect(await connection.closed).toMatch(/HTTP\/1\.1 200 OK\r\n([^\r]*\r\n)*connection: close\r\n/i);
  }
  await drained;
});

test('drainServer: without a delay, no connection is accepted from the call on, and stopServer does the rest', async () => {
  const running = await beginCreation();

  void drainServer(local.server, local.connections, 0);
  expect(local.server.listening).toBe(false);
  await expect(openRawConnection(local.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const stopped = stopServer(local.server, local.connections);
  running.send(BODY.slice(10));

  expect(await running.closed).toMatch(/^HTTP\/1\.1 201 Created\r\n([^\r]*\r\n)*connection: close\r\n/i);
  expect(await stopped).toEqual({ finished: true });
});
