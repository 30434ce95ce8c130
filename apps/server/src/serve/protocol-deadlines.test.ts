// Waits until requests reach their deadlines.
import { beforeAll, describe, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../test-support/local-server.ts';
import { openRawConnection, parseResponse } from '../../test-support/raw-connection.ts';

let local: LocalServer;
beforeAll(async () => {
  local = await startLocalServer();
});

const HEADERS = 'Host: x\r\n';
const POST = `POST /api/v1/verifications HTTP/1.1\r\n${HEADERS}Content-Type: application/json\r\n`;

describe.concurrent('protocol errors: a slow client', () => {
  test('gets 408 when its headers take longer than 5 s', { timeout: 60_000 }, async ({ expect }) => {
    const slowBody = await openRawConnection(local.port);
    slowBody.send(`${POST}X-API-Key: ${await local.newKey()}\r\nContent-Length: 100\r\n\r\n{"subjectType":`);
    const connection = await openRawConnection(local.port);
    connection.send(`GET /healthz HTTP/1.1\r\n${HEADERS}`);
    const startedAt = performance.now();

    // A request with a slow body has 10 s.
    const first = await Promise.race([connection.closed, slowBody.closed.then(() => 'the slow body was first')]);
    const answer = parseResponse(first);

    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, code: 'REQUEST_TIMEOUT' });
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-request-id': expect.any(String) });
    expect(performance.now() - startedAt).toBeGreaterThan(4_500);
  });

  test('gets 408 and creates nothing when its body takes longer than 10 s', { timeout: 60_000 }, async ({
    expect,
  }) => {
    const key = await local.newKey();
    const connection = await openRawConnection(local.port);
    connection.send(`${POST}X-API-Key: ${key}\r\nContent-Length: 100\r\n\r\n{"subjectType":`);

    const received = await connection.closed;

    expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(parseResponse(received).status).toBe(408);
    expect(JSON.parse(parseResponse(received).body)).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    const principal = await local.countersign.authenticate(key);
    expect((await local.countersign.verifications.list(principal)).pagination.totalCount).toBe(0);
  });
});
