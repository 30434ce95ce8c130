import { describe, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../test-support/local-server.ts';

let local: LocalServer;

async function start(options?: Parameters<typeof startLocalServer>[0]): Promise<void> {
  local = await startLocalServer(options);
}

const requestLines = () => local.log().filter(({ msg }) => msg === 'request');

describe('an unknown path', () => {
  test.each(['GET', 'POST', 'DELETE'])(
    '%s gets 404 in the envelope with the headers of the API',
    async (method) => {
      await start();

      const headers = { 'X-Request-Id': 'caller-1' };
      const response = await fetch(`${local.origin}/nowhere?secret=canary`, { method, headers });

      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        success: false,
        error: 'Nothing exists at this path. Check the path.',
        code: 'NOT_FOUND',
      });
      expect(response.headers.get('x-ratelimit-limit')).toBe('100');
      expect(response.headers.get('x-ratelimit-remaining')).toBe('99');
      expect(response.headers.get('x-ratelimit-reset')).toMatch(/^\d{10}$/);
      const requestId = response.headers.get('x-request-id');
      const line = { requestId, callerRequestId: 'caller-1', method, path: '*', status: 404 };
      expect(requestLines()).toEqual([expect.objectContaining(line)]);
      expect(local.logText()).not.toMatch(/nowhere|canary/);
    },
  );

  test.each([
    ['en', 'Page not found'],
    ['de', 'Seite nicht gefunden'],
  ])('asked for by a browser in %s gets the 404 page, logged once', async (language, title) => {
    await start();
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Accept-Language': language };
    for (const path of ['/nowhere?secret=canary', '/assets-of-others', '/verify-me']) {
      const response = await fetch(local.origin + path, { headers });
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await response.text()).toContain(title);
      const requestId = response.headers.get('x-request-id');
      expect(requestLines().at(-1)).toMatchObject({ requestId, path: '/*', status: 404 });
    }
    expect(requestLines()).toHaveLength(3);
    expect(local.logText()).not.toMatch(/nowhere|canary/);
  });

  test.each(['/api', '/api/v2/verifications', '/api/v1/nowhere'])(
    '%s of an API gets JSON, also in a browser',
    async (path) => {
      await start();
      const response = await fetch(local.origin + path, { headers: { Accept: 'text/html' } });
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toMatchObject({ success: false });
    },
  );

  test('below a known path is logged once', async () => {
    await start();
    expect((await fetch(`${local.origin}/docs/none`)).status).toBe(404);
    expect(requestLines()).toHaveLength(1);
  });
});

describe('a known path', () => {
  test.each(['/favicon.ico', '/healthz', '/readyz'])('%s allows only GET and HEAD', async (path) => {
    await start();

    const response = await fetch(local.origin + path, { method: 'POST' });

    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(response.headers.get('x-ratelimit-remaining')).toBe('99');
    expect(await response.json()).toMatchObject({ success: false, code: 'METHOD_NOT_ALLOWED' });
    expect((await fetch(local.origin + path, { method: 'HEAD' })).status).not.toBe(405);
  });
});

describe('an address over its limit', () => {
  test('gets 429 for an unknown path', async () => {
    await start({ environment: { ANONYMOUS_REQUESTS_PER_MINUTE: '1' } });
    expect((await fetch(`${local.origin}/nowhere`)).status).toBe(404);

    const response = await fetch(`${local.origin}/nowhere`);

    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(await response.json()).toMatchObject({ success: false, code: 'RATE_LIMIT_EXCEEDED' });
    expect(requestLines().at(-1)).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' });
  });

  test('gets a 429 page for an invalid link', async () => {
    await start({ environment: { ANONYMOUS_REQUESTS_PER_MINUTE: '1' } });
    expect((await fetch(`${local.origin}/verify/x.y`)).status).toBe(404);

    const response = await fetch(`${local.origin}/verify/x.y`);

    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.text()).toContain('Too many requests');
  });
});

describe('the API', () => {
  test('answers below /api/v1, and its log line has the route, not the path', async () => {
    await start();
    const headers = { 'X-API-Key': await local.newKey() };

    const response = await fetch(`${local.origin}/api/v1/verifications/canary?canary=canary`, { headers });

    expect(response.status).toBe(400);
    expect(requestLines()).toEqual([
      expect.objectContaining({
        requestId: response.headers.get('x-request-id'),
        method: 'GET',
        path: '/api/v1/verifications/{id}',
        status: 400,
        clientId: expect.any(String),
        keyId: expect.any(String),
        code: 'INVALID_PARAMETERS',
      }),
    ]);
    expect(local.logText()).not.toMatch(/canary|csk_/);
  });

  test('limits by the address that trusted proxies forward', async () => {
    await start({ environment: { TRUST_PROXY: '1', ANONYMOUS_REQUESTS_PER_MINUTE: '2' } });
    const remaining = async (forwarded: string) => {
      const response = await fetch(`${local.origin}/api/v1/verifications`, {
        headers: { 'X-Forwarded-For': forwarded },
      });
      return [response.status, response.headers.get('x-ratelimit-remaining')];
    };

    expect(await remaining('203.0.113.1')).toEqual([401, '1']);
    expect(await remaining('203.0.113.1')).toEqual([401, '0']);
    expect(await remaining('203.0.113.1')).toEqual([429, '0']);
    expect(await remaining('192.0.2.1, 203.0.113.1')).toEqual([429, '0']);
    expect(await remaining('203.0.113.2')).toEqual([401, '1']);
  });
});
