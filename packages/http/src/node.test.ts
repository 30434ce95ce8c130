import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GivenApi, type GivenClient, givenApi, givenClient, MOUNT, subject } from '../test-support/api.ts';
import { createApi } from './hono.ts';
import { type ApiListenerOptions, createApiListener } from './node.ts';
import { BODY_MAX_BYTES } from './request-context.ts';

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

/** Writes to a new connection and returns everything received until it closes. */
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

describe('createApiListener', () => {
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
  ])('%s %s: the same response as through createApi', async (method, path) => {
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

  it.each(['br', 'gzip', 'identity'])(
    'GET /openapi.json is sent as %s to callers that accept it, with the same content',
    async (encoding) => {
      const hono = await api.request('/openapi.json');
      for (const _ of ['made for this request', 'kept']) {
        const response = await fetch(`http://127.0.0.1:${portOf()}${MOUNT}/openapi.json`, {
          headers: { 'Accept-Encoding': encoding },
        });

        const { headers } = response;
        expect(response.status).toBe(200);
        expect(headers.get('Vary')).toBe('Accept-Encoding');
        expect(headers.get('Content-Encoding')).toBe(encoding === 'identity' ? null : encoding);
        expect(await response.json()).toEqual(hono.body);
        const sent = Number(headers.get('Content-Length')) / JSON.stringify(hono.body).length;
        expect(sent).toBeLessThanOrEqual(encoding === 'identity' ? 2 : 0.25);
      }
    },
  );

  it.each([
    '/./verifications',
    '/verifications/../verifications',
    '/verifications/.',
    '/verifications/..',
    '/verifications/%2e%2E/verifications?limit=1',
    '/verifications/.%2e/openapi.json',
    '/verifications/%2e%2e',
    '/verifications/...',
    '/verifications/%252e%252e',
    '/../../api/v1/verifications',
  ])('%s: dot segments resolve as through createApi', async (path) => {
    const app = new Hono().route(
      MOUNT,
      createApi(api.countersign, {
        clientAddress: () => '192.0.2.1',
        newRequestId: () => 'a-request',
        onFault: (fault) => void faults.push(fault),
      }),
    );
    const hono = await app.request(MOUNT + path, { headers: { 'X-API-Key': client.key } });
    // `fetch` would resolve the path itself.
    const node = await exchange(head(`GET ${MOUNT}${path}`, 'Connection: close'));

    expect(node).toMatch(new RegExp(`^HTTP/1.1 ${hono.status} `));
    expect(node.slice(node.indexOf('\r\n\r\n')).trim()).toBe(await hono.text());
  });

  it('POST creates a verification, with a declared length and chunked', async () => {
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

  it('Authorization: Bearer gets 401 API_KEY_REQUIRED with a hint; its value reaches no log', async () => {
    const entries: unknown[] = [];
    await end();
    await listen({ onResponse: (entry) => void entries.push(entry) });
    const Authorization = `Bearer ${client.key}`;
    const response = await fetch(`http://127.0.0.1:${portOf()}${MOUNT}/verifications`, {
      headers: { Authorization },
    });
    const hono = await api.request('/verifications', { headers: { Authorization } });

    expect(response.status).toBe(401);
    expect(await response.json()).toEqual(hono.body);
    expect(hono.body.data).toMatchObject({ hint: expect.stringContaining('X-API-Key') as string });
    expect(entries).toMatchObject([{ status: 401, code: 'API_KEY_REQUIRED' }]);
    expect(JSON.stringify([entries, faults])).not.toContain(client.key);
  });

  it('an absolute URL in the request line is accepted', async () => {
    const line = `GET http://other.example${MOUNT}/verifications`;
    expect(await exchange(head(line, 'Connection: close'))).toContain('HTTP/1.1 200 OK');
  });

  it('a path outside the mount point gets 404', async () => {
    expect(await exchange(head('GET /verifications', 'Connection: close'))).toContain('HTTP/1.1 404 Not Found');
  });
});

it.each<[what: string, headers: readonly [name: string, value: string][], body: string]>([
  ['no type', [], '{}'],
  [
    'two types',
    [
      ['Content-Type', 'application/json'],
      ['Content-Type', 'text/plain'],
    ],
    '{}',
  ],
  [
    'two keys',
    [
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', 'a'],
      ['Idempotency-Key', 'b'],
    ],
    '{}',
  ],
  [
    'an encoding',
    [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'gzip'],
    ],
    '{}',
  ],
  ['an empty body', [['Content-Type', 'application/json']], ''],
  ['a key twice', [['Content-Type', 'application/json']], '{"a":1,"a":2}'],
])('POST with %s: the same response as through createApi', async (_, headers, body) => {
  const init = new Headers();
  for (const [name, value] of headers) init.append(name, value);
  const bytes = new TextEncoder().encode(body);
  const hono = await api.request('/verifications', {
    method: 'POST',
    key: client.key,
    headers: init,
    body: bytes,
  });

  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const node = await exchange(
    head(`POST ${MOUNT}/verifications`, ...lines, `Content-Length: ${body.length}`, 'Connection: close'),
    body,
  );

  expect(node).toContain(`HTTP/1.1 ${hono.status} `);
  expect(JSON.parse(node.slice(node.indexOf('\r\n\r\n')))).toEqual(hono.body);
});

describe('a body over the limit', () => {
  const type = 'Content-Type: application/json';

  it('gets 413, and the rest of the body is received so that the connection is not reset', async () => {
    const socket = connect(portOf(), '127.0.0.1');
    const errors: Error[] = [];
    let received = '';
    socket.on('error', (error) => errors.push(error)).on('data', (chunk) => (received += chunk));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const pieces = 40;
    const piece = 'x'.repeat(BODY_MAX_BYTES);
    socket.write(head(`POST ${MOUNT}/verifications`, type, `Content-Length: ${pieces * piece.length}`));
    while (received === '') await new Promise((resolve) => socket.once('data', resolve));
    for (let sent = 0; sent < pieces; sent++) await new Promise((resolve) => socket.write(piece, resolve));
    await closed;

    expect(received).toContain('HTTP/1.1 413 Payload Too Large');
    expect(received).toContain('"code":"PAYLOAD_TOO_LARGE"');
    expect(errors).toEqual([]);
  });

  it('a body over the limit that does not end: 413, and the connection is destroyed', async () => {
    const answered = exchange(
      head(`POST ${MOUNT}/verifications`, type, 'Transfer-Encoding: chunked'),
      `${(BODY_MAX_BYTES + 1).toString(16)}\r\n${'x'.repeat(BODY_MAX_BYTES + 1)}\r\n`,
    );
    expect(await answered).toContain('HTTP/1.1 413 Payload Too Large');
  });
});

it('a body that breaks off creates nothing, even if its JSON is complete', async () => {
  const text = JSON.stringify(subject('broken'));
  const answered = new Promise((resolve) =>
    server.once('request', (_, outgoing) => outgoing.once('close', resolve)),
  );
  const socket = connect(portOf(), '127.0.0.1');
  socket.write(
    head(`POST ${MOUNT}/verifications`, 'Content-Type: application/json', `Content-Length: ${text.length + 1}`) +
      text,
  );
  await new Promise((resolve) => server.once('request', resolve));
  socket.destroy();
  await answered;

  const { body } = await api.request('/verifications', { key: client.key });
  expect(body).toMatchObject({ data: { verifications: [] } });
  expect(faults).toEqual([]);
});

it('rejects if one of its options throws', async () => {
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
