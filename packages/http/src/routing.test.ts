import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient, MOUNT, subject } from '../test-support/api.ts';
import { createApi } from './hono.ts';

let api: GivenApi;
let client: GivenClient;

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
});

const request = (path: string, init: RequestInit = {}) => api.request(path, { key: client.key, ...init });

describe('the path', () => {
  it.each([
    '',
    '/',
    '/nothing',
    '/verifications/',
    '/Verifications',
    '//verifications',
    '/verifications//details',
    '/verifications/a/',
    '/verifications/a/b',
    '/verifications/a/details/',
    '/verifications/a/files/',
    '/verifications//files/b',
    '/verifications/a/files/b/',
    '/verifications/a/b/files/c',
    '/verifications/a/files/b/files/c',
    '/openapi.json/',
    '/openapi-json',
    '/__proto__',
  ])('%j: 404 NOT_FOUND with any method', async (path) => {
    expectRefusal(await request(path), 404, 'NOT_FOUND', 'Nothing exists at this path. Check the path.');
    expectRefusal(await request(path, { method: 'POST' }), 404, 'NOT_FOUND');
  });

  it('the path is logged as a template, without its id', async () => {
    await request('/verifications/secret-id?x=secret');
    await request('/verifications/secret-id/details');
    await request('/secret');
    await request('/openapi.json');
    const paths = api.entries.map(({ path }) => path);
    expect(paths).toEqual(['/verifications/{id}', '/verifications/{id}/details', '*', '/openapi.json']);
    expect(JSON.stringify(api.entries)).not.toContain('secret');
  });

  it('a path whose part of the storage is missing: 404 NOT_FOUND', async () => {
    const withoutRetention = givenApi({
      countersign: (one) => ({ ...one, parts: new Set([...one.parts].filter((part) => part !== 'retention')) }),
    });
    const { key } = await givenClient(withoutRetention);
    for (const [path, method] of [
      ['/verifications/some-id/data', 'DELETE'],
      ['/verifications/some-id/relationship-end', 'PUT'],
    ] as const) {
      // `request` would check against a document that has all paths.
      const response = await withoutRetention.app.request(MOUNT + path, { method, headers: { 'X-API-Key': key } });
      expect([response.status, await response.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
    }
    expectRefusal(
      await withoutRetention.request('/verifications/some-id', { key }),
      404,
      'VERIFICATION_NOT_FOUND',
    );
  });
});

describe('the method', () => {
  it.each([
    ['/verifications', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE']],
    ['/verifications/some-id', 'GET, HEAD', ['POST', 'PUT', 'DELETE']],
    ['/verifications/some-id/details', 'GET, HEAD', ['POST']],
    ['/verifications/some-id/withdraw', 'POST', ['GET', 'PUT', 'DELETE']],
    ['/verifications/some-id/relationship-end', 'PUT', ['POST']],
    ['/verifications/some-id/data', 'DELETE', ['GET']],
    ['/verifications/some-id/files/some-file', 'GET, HEAD', ['POST', 'DELETE']],
    ['/openapi.json', 'GET, HEAD', ['POST', 'DELETE']],
  ])('another one at %s: 405 with Allow: %s', async (path, allowed, methods) => {
    for (const method of methods) {
      const answer = await request(path, { method });
      expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('Allow')).toBe(allowed);
    }
  });

  it('HEAD: the response of GET without its body', async () => {
    const { verification } = await api.countersign.verifications.create(client.principal, subject());
    const unlike = ['x-request-id', 'x-ratelimit-remaining'];
    const plain = (headers: Headers) => [...headers].filter(([name]) => !unlike.includes(name));
    for (const path of [
      '/verifications',
      `/verifications/${verification.id}`,
      '/verifications/none',
      '/openapi.json',
    ]) {
      const get = await request(path);
      const head = await request(path, { method: 'HEAD' });
      expect(head.status).toBe(get.status);
      expect(plain(head.headers)).toEqual(plain(get.headers));
      expect(head.body).toBeNull();
    }
  });
});

describe('GET /openapi.json', () => {
  it('needs no key', async () => {
    const { status, headers, body } = await api.request('/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/json');
    expect(body).toMatchObject({ openapi: '3.1.1', servers: [{ url: MOUNT }] });
  });
});

describe('the mount point', () => {
  const options = { clientAddress: () => '192.0.2.1', newRequestId: () => 'id', onFault: () => undefined };
  const headers = () => ({ 'X-API-Key': client.key });

  it.each([
    ['/', '', '/'],
    ['/kyc', '/kyc', '/kyc'],
    ['/:tenant/api', '/acme/api', '/acme/api'],
  ])('%s: the API answers below it', async (mount, at, serverUrl) => {
    const app = new Hono().route(mount, createApi(api.countersign, options));
    expect((await app.request(`${at}/verifications`, { headers: headers() })).status).toBe(200);
    expect((await app.request(`${at}/verifications/x/details`, { headers: headers() })).status).toBe(404);
    expect(await (await app.request(`${at}/openapi.json`)).json()).toMatchObject({
      servers: [{ url: serverUrl }],
    });
  });

  it('a mount point with a parameter: the document names each mount point', async () => {
    const app = new Hono().route('/:tenant/api', createApi(api.countersign, options));
    for (const tenant of ['acme', 'globex', 'acme']) {
      const document = await (await app.request(`/${tenant}/api/openapi.json`)).json();
      expect(document).toMatchObject({ servers: [{ url: `/${tenant}/api` }] });
    }
  });

  it('serverUrl: the document names it', async () => {
    const app = new Hono().route(
      '/kyc',
      createApi(api.countersign, { ...options, serverUrl: 'https://a.example/kyc' }),
    );
    const document = await (await app.request('/kyc/openapi.json')).json();
    expect(document).toMatchObject({ servers: [{ url: 'https://a.example/kyc' }] });
  });

  it('other paths and handlers of the outer app keep working', async () => {
    const app = new Hono()
      .use('*', async (_, next) => await next())
      .route('/kyc', createApi(api.countersign, options))
      .get('/other', (context) => context.text('other'));
    expect((await app.request('/kyc/verifications', { headers: headers() })).status).toBe(200);
    expect((await app.request('/kyc/nothing', { headers: headers() })).status).toBe(404);
    expect(await (await app.request('/other')).text()).toBe('other');
    expect((await app.request('/kycx')).headers.get('X-Request-Id')).toBeNull();
  });
});
