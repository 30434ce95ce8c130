import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApiListener } from './api-listener.ts';
import type { ApiListenerOptions } from './api-options.ts';
import { BODY_MAX_BYTES } from './body-limit.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient, MOUNT, subject } from './given/api.ts';

let api: GivenApi;
let client: GivenClient;
let server: Server;
let faults: unknown[];

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
  faults = [];
  await listen();
});
afterEach(() => end());

async function listen(options: Partial<ApiListenerOptions> = {}): Promise<void> {
  const listener = createApiListener(api.countersign, {
    mountPath: MOUNT,
    clientAddress: ({ socket }) => socket.remoteAddress ?? '',
    newRequestId: () => 'a-request',
    onFault: (fault) => void faults.push(fault),
    now: api.clock.now,
    ...options,
  });
  server = createServer((incoming, outgoing) => {
    listener(incoming, outgoing).catch((fault: unknown) => {
      faults.push(fault);
      outgoing.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function end(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

const portOf = () => (server.address() as AddressInfo).port;

/** Writes to a connection of its own, and gives all that comes back until it is closed. */
function exchange(...parts: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(portOf(), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    for (const part of parts) socket.write(part);
  });
}

const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: x', `X-API-Key: ${client.key}`, ...headers].join('\r\n')}\r\n\r\n`;

describe('over node:http', () => {
  it.each([
    ['GET', '/verifications'],
    ['GET', '/verifications?limit=0'],
    ['GET', '/verifications/none'],
    ['GET', '/verifications/%ff'],
    ['GET', '/verific%61tions'],
    ['GET', '/nothing'],
    ['GET', ''],
    ['GET', '/openapi.json'],
    ['HEAD', '/verifications'],
    ['DELETE', '/verifications'],
  ])('%s %s is answered as over Hono', async (method, path) => {
    const hono = await api.request(path, { method, key: client.key });
    const node = await fetch(`http://127.0.0.1:${portOf()}${MOUNT}${path}`, {
      method,
      headers: { 'X-API-Key': client.key },
    });

    expect(node.status).toBe(hono.status);
    const text = await node.text();
    expect(text === '' ? null : JSON.parse(text)).toEqual(hono.body);
    for (const [name, value] of hono.headers) {
      if (!['x-request-id', 'x-ratelimit-remaining'].includes(name)) expect(node.headers.get(name)).toBe(value);
    }
    expect(node.headers.get('x-request-id')).toBe('a-request');
  });

  it('a body creates a verification, with and without its length declared', async () => {
    const text = JSON.stringify(subject('declared'));
    const chunked = JSON.stringify(subject('chunked'));
    const type = 'Content-Type: application/json';
    const answers = await Promise.all([
      exchange(
        head(`POST ${MOUNT}/verifications`, type, `Content-Length: ${text.length}`, 'Connection: close'),
        text.slice(0, 5),
        text.slice(5),
      ),
      exchange(
        head(`POST ${MOUNT}/verifications`, type, 'Transfer-Encoding: chunked', 'Connection: close'),
        `${chunked.length.toString(16)}\r\n${chunked}\r\n0\r\n\r\n`,
      ),
    ]);
    for (const answer of answers) expect(answer).toContain('HTTP/1.1 201 Created');
  });

  it('a whole address in the request line is its path', async () => {
    const line = `GET http://other.example${MOUNT}/verifications`;
    expect(await exchange(head(line, 'Connection: close'))).toContain('HTTP/1.1 200 OK');
  });

  it('a path outside of the mount point is an unknown one', async () => {
    expect(await exchange(head('GET /verifications', 'Connection: close'))).toContain('HTTP/1.1 404 Not Found');
  });
});

describe('a body too large', () => {
  const type = 'Content-Type: application/json';

  it('is answered in full although its sender goes on sending, and the connection is closed', async () => {
    const size = BODY_MAX_BYTES * 8;
    const answer = await exchange(
      head(`POST ${MOUNT}/verifications`, type, `Content-Length: ${size}`),
      'x'.repeat(size),
    );
    expect(answer).toContain('HTTP/1.1 413 Payload Too Large');
    expect(answer).toContain('"code":"PAYLOAD_TOO_LARGE"');
  });

  it('without an end is cut off', async () => {
    const answered = exchange(
      head(`POST ${MOUNT}/verifications`, type, 'Transfer-Encoding: chunked'),
      `${(BODY_MAX_BYTES + 1).toString(16)}\r\n${'x'.repeat(BODY_MAX_BYTES + 1)}\r\n`,
    );
    expect(await answered).toContain('HTTP/1.1 413 Payload Too Large');
  });
});

it('a body that breaks off creates nothing', async () => {
  const socket = connect(portOf(), '127.0.0.1');
  const text = JSON.stringify(subject('broken'));
  socket.write(
    head(`POST ${MOUNT}/verifications`, 'Content-Type: application/json', `Content-Length: ${text.length}`) +
      text.slice(0, -1),
  );
  await new Promise((resolve) => server.once('request', resolve));
  socket.destroy();
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));

  const { body } = await api.request('/verifications', { key: client.key });
  expect(body).toMatchObject({ data: { verifications: [] } });
  expect(faults).toEqual([]);
});

it('rejects when one of its options throws', async () => {
  await end();
  const broken = new Error('broken');
  await listen({
    newRequestId: () => {
      throw broken;
    },
  });
  expect(await exchange(head(`GET ${MOUNT}/verifications`))).toBe('');
  expect(faults).toEqual([broken]);
});
