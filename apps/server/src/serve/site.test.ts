import { CountersignError } from '@countersign/domain';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type LocalServer, startLocalServer } from '../given/local-server.ts';

let local: LocalServer;
afterEach(() => local.close());

async function start(options?: Parameters<typeof startLocalServer>[0]): Promise<void> {
  local = await startLocalServer(options);
}

const requestLines = () => local.log().filter(({ msg }) => msg === 'request');

describe('health', () => {
  test('the process is alive and storage answers', async () => {
    await start();
    for (const [path, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ]) {
      const response = await fetch(local.origin + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toEqual({ status });
    }
    expect(requestLines()).toEqual([]);
  });

  test('without storage the server is alive and not ready, and the reason is in the log', async () => {
    await start({ storage: { ping: () => Promise.reject(new TypeError('gone')) } });

    expect((await fetch(`${local.origin}/healthz`)).status).toBe(200);
    const response = await fetch(`${local.origin}/readyz`);

    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: 'unavailable' });
    expect(local.log()).toContainEqual(expect.objectContaining({ msg: 'fault', error: expect.any(Object) }));
  });

  test.each(['starting', 'stopping'] as const)(
    'while it is %s the server is alive and not ready',
    async (phase) => {
      await start();
      local.enter(phase);
      expect((await fetch(`${local.origin}/healthz`)).status).toBe(200);
      const response = await fetch(`${local.origin}/readyz`);
      expect(response.status).toBe(503);
      expect(await response.json()).toEqual({ status: phase });
    },
  );
});

describe('a path that no route knows', () => {
  test.each(['GET', 'POST', 'DELETE'])(
    '%s gets 404 in the envelope with the headers of the API',
    async (method) => {
      await start();

      const response = await fetch(`${local.origin}/nowhere?secret=canary`, { method });

      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ success: false, error: 'Not found', code: 'NOT_FOUND' });
      expect(response.headers.get('x-ratelimit-limit')).toBe('100');
      expect(response.headers.get('x-ratelimit-remaining')).toBe('99');
      expect(response.headers.get('x-ratelimit-reset')).toMatch(/^\d{10}$/);
      const requestId = response.headers.get('x-request-id');
      expect(requestLines()).toEqual([expect.objectContaining({ requestId, method, path: '*', status: 404 })]);
      expect(local.logText()).not.toMatch(/nowhere|canary/);
    },
  );

  test('below a known one it is told in the log once', async () => {
    await start();
    expect((await fetch(`${local.origin}/assets/none.css`)).status).toBe(404);
    expect(requestLines()).toHaveLength(1);
  });
});

describe('a known path', () => {
  test.each(['/', '/docs', '/assets/page.css', '/favicon.ico', '/verify/x.y', '/healthz', '/readyz'])(
    '%s is there to be read only',
    async (path) => {
      await start();

      const response = await fetch(local.origin + path, { method: 'POST' });

      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      expect(response.headers.get('x-ratelimit-remaining')).toBe('99');
      expect(await response.json()).toMatchObject({ success: false, code: 'METHOD_NOT_ALLOWED' });
      expect((await fetch(local.origin + path, { method: 'HEAD' })).status).not.toBe(405);
    },
  );
});

describe('an address over its limit', () => {
  test('gets 429 for a path that no route knows', async () => {
    await start({ environment: { ANONYMOUS_REQUESTS_PER_MINUTE: '1' } });
    expect((await fetch(`${local.origin}/nowhere`)).status).toBe(404);

    const response = await fetch(`${local.origin}/nowhere`);

    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(await response.json()).toMatchObject({ success: false, code: 'RATE_LIMIT_EXCEEDED' });
    expect(requestLines().at(-1)).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' });
  });

  test('gets a page for a link, and the core is not asked', async () => {
    await start({ environment: { ANONYMOUS_REQUESTS_PER_MINUTE: '1' } });
    const open = vi.spyOn(local.countersign.subject, 'open');
    expect((await fetch(`${local.origin}/verify/x.y`)).status).toBe(404);

    const response = await fetch(`${local.origin}/verify/x.y`);

    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.text()).toContain('Too many links');
    expect(open).toHaveBeenCalledTimes(1);
  });
});

describe('the API', () => {
  test('answers below /api/v1, and its log line names the route and no more', async () => {
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

  test('counts by the address that the trusted proxies tell', async () => {
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

  test('has a reference page that finds the document', async () => {
    await start();
    const page = await fetch(`${local.origin}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    const script = await (await fetch(`${local.origin}/docs/reference.js`)).text();
    const [, documentUrl = ''] = /"([^"]*openapi\.json)"/.exec(script) ?? [];
    const document = await fetch(new URL(documentUrl, page.url));
    expect(await document.json()).toMatchObject({ servers: [{ url: 'https://verify.example/api/v1' }] });
  });
});

describe('/verify', () => {
  async function newLink(): Promise<string> {
    const principal = await local.countersign.authenticate(await local.newKey());
    const input = { subjectType: 'kyc', subjectReference: 'user_1' };
    const { verification } = await local.countersign.verifications.create(principal, input);
    return verification.verificationUrl.replace('https://verify.example', local.origin);
  }

  test('a genuine link says what it is, changes nothing and is kept nowhere', async () => {
    await start();
    const link = await newLink();

    const response = await fetch(link);

    expect(response.status).toBe(200);
    expect(await response.text()).toContain('This link is genuine');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'self'; /),
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(requestLines()).toEqual([expect.objectContaining({ path: '/verify/{reference}', status: 200 })]);
    expect(local.logText()).not.toContain(link.slice(link.lastIndexOf('.')));
  });

  test('its page loads one stylesheet, from here, and nothing else', async () => {
    await start();
    const link = await newLink();
    const text = await (await fetch(link)).text();
    expect(text).not.toMatch(/<script|<style|style=|<img|https?:/);
    const [, href = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const style = await fetch(new URL(href, link));
    expect(style.status).toBe(200);
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(await style.text()).not.toMatch(/url\(|@import/);
  });

  test('a forged, an incomplete and an unknown link are all the same page', async () => {
    await start();
    const link = await newLink();
    const other = '0198c0de-0000-7000-8000-000000000000';
    const texts = new Set<string>();
    for (const wrong of [
      link.slice(0, -1),
      `${link}A`,
      link.slice(0, link.lastIndexOf('.')),
      link.replace(/[0-9a-f-]{36}/, other),
      `${local.origin}/verify/nonsense`,
      `${local.origin}/verify/%00.%00`,
      `${local.origin}/verify/%ff.x`,
    ]) {
      const response = await fetch(wrong);
      expect(response.status, wrong).toBe(404);
      texts.add(await response.text());
    }
    expect([...texts]).toEqual([expect.stringContaining('This link is not valid')]);
  });

  test('an expired link is gone', async () => {
    await start();
    const link = await newLink();
    vi.useFakeTimers({ now: Date.now() + 31 * 24 * 60 * 60 * 1000, toFake: ['Date'] });
    try {
      const response = await fetch(link);
      expect(response.status).toBe(410);
      expect(await response.text()).toContain('This link has expired');
    } finally {
      vi.useRealTimers();
    }
  });

  test('without storage it asks to try again, and the fault is in the log with the id of the request', async () => {
    await start();
    const link = await newLink();
    const failing = vi.spyOn(local.countersign.subject, 'open');
    failing.mockRejectedValue(new CountersignError('SERVICE_UNAVAILABLE', 'locked'));

    const response = await fetch(link);

    expect(response.status).toBe(503);
    const requestId = response.headers.get('x-request-id');
    expect(local.log()).toContainEqual(
      expect.objectContaining({ msg: 'fault', requestId, path: '/verify/{reference}' }),
    );
  });
});

test('a browser that asks for an icon gets none, without a fuss', async () => {
  await start();
  expect((await fetch(`${local.origin}/favicon.ico`)).status).toBe(204);
  const response = await fetch(`${local.origin}/nowhere`);
  expect(response.headers.get('x-ratelimit-remaining')).toBe('99');
});

test('/ says what this is', async () => {
  await start();
  const response = await fetch(local.origin);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('<a href="./docs">');
});
