import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../test-support/local-server.ts';
import { openRawConnection, parseResponse } from '../../test-support/raw-connection.ts';

let local: LocalServer;
beforeAll(async () => {
  local = await startLocalServer();
});

async function answerTo(text: string): Promise<ReturnType<typeof parseResponse>> {
  const connection = await openRawConnection(local.port);
  connection.send(text);
  return parseResponse(await connection.closed);
}

const HEADERS = 'Host: x\r\n';
const POST = `POST /api/v1/verifications HTTP/1.1\r\n${HEADERS}Content-Type: application/json\r\n`;

describe('protocol errors: an invalid HTTP request is answered in the envelope, and the connection closes', () => {
  const broken: [name: string, text: string, status: number, code: string][] = [
    ['text that is not HTTP', 'hello\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a broken header', `GET / HTTP/1.1\r\n${HEADERS}a b c\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, 'BAD_REQUEST'],
    ['a length and chunks', `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
    ['no Host at /readyz', 'GET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
    ['two Hosts of HTTP/1.0', 'GET / HTTP/1.0\r\nHost: x\r\nhost: y\r\n\r\n', 400, 'BAD_REQUEST'],
    ['an empty Host of HTTP/1.0', 'GET / HTTP/1.0\r\nHost:\r\n\r\n', 400, 'BAD_REQUEST'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400, 'BAD_REQUEST'],
    ['HTTP/0.9', `GET / HTTP/0.9\r\n${HEADERS}\r\n`, 400, 'BAD_REQUEST'],
    ['HTTP/2.0', `GET / HTTP/2.0\r\n${HEADERS}\r\n`, 400, 'BAD_REQUEST'],
    ['an invalid Host', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a target that is not a path', `OPTIONS * HTTP/1.1\r\n${HEADERS}\r\n`, 400, 'BAD_REQUEST'],
    ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${HEADERS}\r\n`, 400, 'BAD_REQUEST'],
    [
      'more than 16 KiB of headers',
      `GET / HTTP/1.1\r\n${HEADERS}X-Long: ${'x'.repeat(17 * 1024)}\r\n\r\n`,
      431,
      'REQUEST_HEADER_FIELDS_TOO_LARGE',
    ],
    [
      'far more than 16 KiB of headers, still being sent',
      `GET / HTTP/1.1\r\n${HEADERS}X-Long: ${'x'.repeat(1024 * 1024)}\r\n\r\n`,
      431,
      'REQUEST_HEADER_FIELDS_TOO_LARGE',
    ],
    [
      'a chunk with endless extensions',
      `${POST}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(17 * 1024)}\r\n{}\r\n0\r\n\r\n`,
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ];

  test.each(broken)('%s', async (_, text, status, code) => {
    const answer = await answerTo(text);

    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ success: false, error: expect.any(String), code });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(answer.body)),
      connection: 'close',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
    });
    const line = { msg: 'request', requestId: answer.headers['x-request-id'], status, code };
    expect(local.log()).toContainEqual(expect.objectContaining(line));
  });

  test('counts against the rate limit of its address', async () => {
    const remaining = async () => Number((await answerTo('hello\r\n\r\n')).headers['x-ratelimit-remaining']);
    const first = await remaining();
    expect(await remaining()).toBe(first - 1);
  });
});

test('protocol errors: a client that keeps sending gets one answer and no reset, and is counted once', async () => {
  const socket = connect({ port: local.port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  const errors: Error[] = [];
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', (error) => errors.push(error));
  socket.write('hello\r\n\r\n');
  await once(socket, 'end');
  for (let more = 0; more < 10; more++) {
    socket.write('and more\r\n\r\n');
    await pause(10);
  }
  expect(errors).toEqual([]);
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  const next = await answerTo('hello\r\n\r\n');
  const remaining = Number(parseResponse(received).headers['x-ratelimit-remaining']);
  expect(next.headers['x-ratelimit-remaining']).toBe(String(remaining - 1));
  socket.destroy();
});

test('protocol errors: broken input after a request leaves its answer intact', async () => {
  const connection = await openRawConnection(local.port);
  connection.send(`GET /healthz HTTP/1.1\r\n${HEADERS}\r\nbroken\r\n\r\n`);

  const received = await connection.closed;

  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(received).toContain('{"status":"ok"}');
});

test('protocol errors: a broken request after an answered one is answered', async () => {
  const connection = await openRawConnection(local.port);
  connection.send(`GET /healthz HTTP/1.1\r\n${HEADERS}\r\n`);
  await connection.receive('{"status":"ok"}');
  connection.send('broken\r\n\r\n');
  expect((await connection.closed).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('protocol errors: an invalid body after an early answer gets no second answer', async () => {
  const connection = await openRawConnection(local.port);
  connection.send(`${POST}Transfer-Encoding: chunked\r\n\r\n`);
  await connection.receive('API_KEY_REQUIRED');
  connection.send('no chunk\r\n');
  expect((await connection.closed).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
});

// The usual check of HAProxy and other checks of load balancers send nothing else.
test.each([
  ['GET', '/healthz', 200, '{"status":"ok"}'],
  ['GET', '/readyz', 200, '{"status":"ready"}'],
  ['HEAD', '/readyz', 200, ''],
  ['GET', '/api/v1/openapi.json', 200, '"openapi":"3.1'],
  ['GET', '/api/v1/verifications', 401, 'API_KEY_REQUIRED'],
])('HTTP/1.0 without Host: %s %s is answered', async (method, path, status, body) => {
  const answer = await answerTo(`${method} ${path} HTTP/1.0\r\n\r\n`);
  expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(body)]);
});

test('protocol errors: an unknown Expect header is ignored', async () => {
  const connection = await openRawConnection(local.port);
  connection.send(`GET /healthz HTTP/1.1\r\n${HEADERS}Expect: the-unexpected\r\nConnection: close\r\n\r\n`);
  expect(parseResponse(await connection.closed).status).toBe(200);
});

test('Expect: 100-continue is answered before the body', async () => {
  const key = await local.newKey();
  const body = JSON.stringify({ subjectType: 'kyc', subjectReference: 'expecting' });
  const connection = await openRawConnection(local.port);
  connection.send(
    `${POST}X-API-Key: ${key}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
  );
  await connection.receive('HTTP/1.1 100 Continue');
  connection.send(body);
  expect(await connection.closed).toContain('HTTP/1.1 201 Created');
});
