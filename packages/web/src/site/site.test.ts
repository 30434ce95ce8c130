import { CountersignError } from '@countersign/domain';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { givenFlow } from '../../test-support/flow.ts';

const ORIGIN = 'https://verify.example';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const post = async (headers: Record<string, string>, body = 'language=de&returnTo=/verify/x') =>
  (await givenFlow()).app.request('/language', { method: 'POST', headers: { ...FORM, ...headers }, body });

describe('the origin of a POST', () => {
  it.each<[headers: Record<string, string>, status: number]>([
    [{ 'Sec-Fetch-Site': 'same-origin' }, 303],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 303],
    [{ Origin: ORIGIN }, 303],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: ORIGIN }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ 'Sec-Fetch-Site': 'none' }, 403],
    [{ Origin: 'https://evil.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{}, 403],
  ])('%j: %i', async (headers, status) => {
    expect((await post(headers)).status).toBe(status);
  });
});

describe('the language', () => {
  const own = { 'Sec-Fetch-Site': 'same-origin' };

  it.each([
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['fr, de;q=0.3, en;q=0.8', 'en'],
    ['de;q=0, en', 'en'],
    ['fr', 'en'],
    ['*', 'en'],
    [';;;', 'en'],
    ['', 'en'],
  ])('Accept-Language "%s": %s', async (accepted, language) => {
    const { app } = await givenFlow();
    const html = await (await app.request('/verify', { headers: { 'Accept-Language': accepted } })).text();
    expect(html).toContain(`<html lang="${language}">`);
  });

  it('the language can be switched, is remembered, and returns to the page', async () => {
    const response = await post(own);
    expect(response.headers.get('Location')).toBe('/countersign/verify/x');
    expect(response.headers.get('Set-Cookie')).toMatch(/^language=de; .*Path=\/countersign\/; HttpOnly; Secure/);
    const { app } = await givenFlow();
    const page = await app.request('/verify', { headers: { 'Accept-Language': 'en', Cookie: 'language=de' } });
    expect(await page.text()).toContain('Seite nicht gefunden');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example', ''])(
    'never leads to %j',
    async (returnTo) => {
      const response = await post(own, new URLSearchParams({ language: 'de', returnTo }).toString());
      expect(response.headers.get('Location')).toBe('/countersign/');
    },
  );

  it.each<[what: string, status: number, body: string, headers?: Record<string, string>]>([
    ['an unknown language', 400, 'language=xx'],
    ['a form over 64 KiB', 413, `language=de&returnTo=/${'a'.repeat(64 * 1024)}`],
    ['a body that is not a form', 415, '{}', { 'Content-Type': 'application/json' }],
  ])('switching with %s is refused', async (_, status, body, headers = {}) => {
    expect((await post({ ...own, ...headers }, body)).status).toBe(status);
  });
});

describe('every page', () => {
  it('every page has the security headers', async () => {
    const { app } = await givenFlow();
    const { headers } = await app.request('/verify');
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; " +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('Permissions-Policy')).toContain('camera=(self)');
    expect(headers.get('Referrer-Policy')).toBe('same-origin');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('X-Frame-Options')).toBe('DENY');
    expect(headers.get('Strict-Transport-Security')).toBe('max-age=15552000');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f]{24}$/);
  });

  it('reveals nothing about a fault except the id of the request', async () => {
    const given = await givenFlow();
    given.breakStorage(new Error('secret detail'));
    const response = await given.app.request((await given.link()).slice('/countersign'.length));
    expect(response.status).toBe(500);
    const html = await response.text();
    expect(html).not.toContain('secret');
    expect(html).toContain(response.headers.get('X-Request-Id'));
    expect(given.faults).toHaveLength(1);
  });
});

it('an unavailable storage: 503 with Retry-After', async () => {
  const given = await givenFlow();
  given.breakStorage(new CountersignError('SERVICE_UNAVAILABLE', 'The database does not answer'));
  const response = await given.app.request((await given.link()).slice('/countersign'.length));
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(given.faults).toHaveLength(1);
});

it('the access log has the template of the route, no id and no token', async () => {
  const given = await givenFlow();
  const paths = [
    '/verify/x.token',
    '/verify/x',
    '/verify/x/name?q=1',
    '/account/welcome/token',
    '/review/x',
    '/verify',
  ];
  for (const path of paths) await given.app.request(path);
  expect(given.routes).toEqual([
    'GET /verify/{reference}',
    'GET /verify/{id}',
    'GET /verify/{id}/{slug}/*',
    'GET /account/*',
    'GET /review/*',
    'GET /verify/*',
  ]);
});

describe('mounted in another app', () => {
  it('below a path, answers its own pages and no others', async () => {
    const given = await givenFlow();
    const app = new Hono();
    app.route('/countersign', given.app);
    app.post('/countersign/api', (context) => context.text('theirs'));
    expect(await (await app.request('/countersign/api', { method: 'POST' })).text()).toBe('theirs');

    const unknown = await app.request('/countersign/language');
    expect(unknown.status).toBe(404);
    expect(await unknown.text()).toContain('name="returnTo" value="/language"');
    const opened = await app.request(await given.link());
    expect(opened.headers.get('Location')).toBe(given.address());
    const cookie = opened.headers.get('Set-Cookie')?.split(';')[0] ?? '';
    expect((await app.request(given.address(), { headers: { Cookie: cookie } })).status).toBe(200);

    given.breakStorage(new Error('broken'));
    expect((await app.request(given.address(), { headers: { Cookie: cookie } })).status).toBe(500);
    expect(given.faults).toHaveLength(1);
  });
});

describe('assets', () => {
  it('assets have an address with a hash, are cached for a year, and have a content type', async () => {
    const { app } = await givenFlow();
    const html = await (await app.request('/verify')).text();
    const [, path = ''] = /href="\/countersign(\/assets\/[0-9a-f]{16}\/tokens\.css)"/.exec(html) ?? [];
    const response = await app.request(path);
    expect(response.headers.get('Content-Type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    const etag = response.headers.get('ETag') ?? '';
    expect((await app.request(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);

    const small = await app.request(path, { headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(small.headers.get('Content-Encoding')).toBe('br');
    const [packed, whole] = [await small.arrayBuffer(), await response.arrayBuffer()];
    expect(packed.byteLength).toBeLessThan(whole.byteLength / 2);
  });

  it('an asset at an address with an old hash: the current file, not cached', async () => {
    const { app } = await givenFlow();
    const response = await app.request('/assets/0000000000000000/htmx.js');
    expect(response.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('no-cache');
  });

  it.each(['/assets/x/unknown.css', '/assets/x/..%2F..%2Fpackage.json', '/assets/x/%2e%2e'])(
    '%s is not there',
    async (path) => {
      const { app } = await givenFlow();
      expect((await app.request(path)).status).toBe(404);
    },
  );
});
