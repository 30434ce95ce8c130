import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuardedFetch, hasFault, ProviderFault } from './guarded-fetch.ts';

const MAX_BYTES = 1_000_000;

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Starts a server with these answers, and returns its origin. */
async function serve(answer: RequestListener): Promise<string> {
  const started = createServer(answer);
  server = started;
  await new Promise<void>((resolve) => {
    started.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

const request = (
  url: string,
  { allowsLoopback = true, ...init }: { allowsLoopback?: boolean; method?: string; body?: string } = {},
) =>
  createGuardedFetch({ allowsLoopback })(url, {
    method: 'GET',
    headers: { 'x-sent': 'yes' },
    body: undefined,
    redirect: 'manual',
    ...init,
  });

async function faultOf(answer: Promise<Response>): Promise<string> {
  const error = await answer.catch((fault: unknown) => fault);
  if (!(error instanceof ProviderFault)) throw new Error('The request did not fail', { cause: error });
  return error.message;
}

describe('requests to identity providers', () => {
  it('sends method, headers and body, and returns the response', async () => {
    const origin = await serve((sent, response) => {
      const chunks: Buffer[] = [];
      sent.on('data', (chunk: Buffer) => chunks.push(chunk));
      sent.on('end', () =>
        response
          .writeHead(400, { 'x-method': sent.method, 'x-sent': sent.headers['x-sent'] })
          .end(Buffer.concat(chunks)),
      );
    });
    const answer = await request(origin, { method: 'POST', body: 'code=1' });
    expect([answer.status, answer.headers.get('x-method'), answer.headers.get('x-sent')]).toEqual([
      400,
      'POST',
      'yes',
    ]);
    expect(await answer.text()).toBe('code=1');
  });

  it.each(['http://login.example/', 'ftp://login.example/', 'http://localhost.login.example/'])(
    'refuses %s, which is not encrypted',
    async (url) => {
      expect(await faultOf(request(url))).toMatch(/login\.example is not https$/);
    },
  );

  it.each(['localhost', '127.0.0.1', '[::1]'])(
    'sends unencrypted requests to %s only if loopback is allowed',
    async (host) => {
      const origin = await serve((_, response) => response.end('{}'));
      const url = origin.replace('127.0.0.1', host);
      expect(await faultOf(request(url, { allowsLoopback: false }))).toMatch(/ is not https$/);
      const fault = await request(url).then(
        () => '',
        (error: Error) => error.message,
      );
      expect(fault).not.toMatch(/ is not https$/);
      expect(await faultOf(request(url.replace('http:', 'ftp:')))).toMatch(/ is not https$/);
    },
  );

  it.each([300, 302, 399, 500, 503])('treats the status %d as a fault', async (status) => {
    const origin = await serve((_, response) => response.writeHead(status, { Location: '/elsewhere' }).end());
    expect(await faultOf(request(origin))).toBe(`${new URL(origin).host} answered ${status}`);
  });

  it.each([200, 204, 205, 299, 400, 499])('returns a response with the status %d', async (status) => {
    const origin = await serve((_, response) => response.writeHead(status).end());
    expect((await request(origin)).status).toBe(status);
  });

  it('accepts a response of the largest size, and refuses a larger one', async () => {
    let bytes = MAX_BYTES;
    const origin = await serve((_, response) => response.end(Buffer.alloc(bytes)));
    expect((await (await request(origin)).arrayBuffer()).byteLength).toBe(MAX_BYTES);
    bytes += 1;
    expect(await faultOf(request(origin))).toBe('the answer is too large');
  });

  it('a provider that does not answer is at fault, also as the cause of another error', async () => {
    const origin = await serve((sent) => sent.socket.destroy());
    expect(await faultOf(request(origin))).toBe(`${new URL(origin).host} does not answer`);
    const fault = await request(origin).catch((error: unknown) => error);
    expect(fault).toMatchObject({ cause: expect.any(Error) });
    expect(hasFault(new Error('no token', { cause: new Error('no key', { cause: fault }) }))).toBe(true);
    expect([new Error('no token'), 'no token', null].map(hasFault)).toEqual([false, false, false]);
  });
});
