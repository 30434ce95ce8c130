import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../test-support/local-server.ts';
import { openRawConnection } from '../../test-support/raw-connection.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let local: LocalServer;
beforeEach(async () => {
  local = await startLocalServer({ environment: { ANONYMOUS_REQUESTS_PER_MINUTE: '1000000' } });
});

const head = (length: number) =>
  `POST /api/v1/verifications HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

test('connections: drop finished responses, also when requests overlap', async () => {
  const connection = await openRawConnection(local.port);
  const responses: WeakRef<ServerResponse>[] = [];
  for (let index = 0; index < 50; index++) {
    const begun = once(local.server, 'request');
    // The last byte of a body arrives together with the next request.
    connection.send(index === 0 ? head(1) : `x${head(1)}`);
    const [, response] = (await begun) as [unknown, ServerResponse];
    responses.push(new WeakRef(response));
    while (!response.headersSent) await new Promise(setImmediate);
  }

  await new Promise(setImmediate);
  collectGarbage();
  expect(responses.filter((response) => response.deref() !== undefined).length).toBeLessThan(10);
});

test('connections: an idle connection keeps no response, of the API and of pages', async () => {
  const connection = await openRawConnection(local.port);
  for (const path of ['/api/v1/verifications', '/healthz', '/docs/']) {
    const begun = once(local.server, 'request');
    connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [, response] = (await begun) as [unknown, ServerResponse];
    if (!response.closed) await once(response, 'close');

    expect(
      [...local.connections.values()].filter(({ latest }) => latest !== undefined),
      path,
    ).toHaveLength(0);
  }
});

test('connections: a request after a closing response is ignored', async () => {
  const key = await local.newKey();
  const text = JSON.stringify({ subjectType: 'kyc', subjectReference: 'hidden' });
  const headers = `Host: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json`;
  const connection = await openRawConnection(local.port);

  connection.send(`POST /api/v1/verifications HTTP/1.1\r\n${headers}\r\nContent-Length: 70000\r\n\r\n`);
  await connection.receive('413');
  connection.send(
    `${'x'.repeat(70_000)}POST /api/v1/verifications HTTP/1.1\r\n${headers}\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );

  const received = await connection.closed;
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  const list = await fetch(`${local.origin}/api/v1/verifications`, { headers: { 'X-API-Key': key } });
  expect(await list.json()).toMatchObject({ data: { verifications: [] } });
});

test('connections: a complete request is answered when a broken one follows', async () => {
  const key = await local.newKey();
  const text = JSON.stringify({ subjectType: 'kyc', subjectReference: 'whole' });
  const headers = `Host: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json`;
  const connection = await openRawConnection(local.port);

  connection.send(
    `POST /api/v1/verifications HTTP/1.1\r\n${headers}\r\nContent-Length: ${text.length}\r\n\r\n${text}` +
      `POST /api/v1/verifications HTTP/1.1\r\n${headers}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  );

  expect(await connection.closed).toContain('HTTP/1.1 201 Created');
});
