import { beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient, subject } from '../test-support/api.ts';

const REQUIRED = 'API key is required. Provide it in X-API-Key header.';
const DAY = 24 * 60 * 60 * 1000;

let api: GivenApi;
let client: GivenClient;

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
});

describe('X-API-Key', () => {
  it.each<[what: string, value: () => string | undefined, code: string, error: string]>([
    ['missing', () => undefined, 'API_KEY_REQUIRED', REQUIRED],
    ['empty', () => '', 'API_KEY_REQUIRED', REQUIRED],
    ['not in the format of a key', () => 'secret', 'INVALID_API_KEY', 'Invalid API key'],
    ['unknown', () => `csk_${'f'.repeat(64)}`, 'INVALID_API_KEY', 'Invalid API key'],
    ['in capitals', () => client.key.toUpperCase(), 'INVALID_API_KEY', 'Invalid API key'],
    ['one character too long', () => `${client.key}0`, 'INVALID_API_KEY', 'Invalid API key'],
    ['one character too short', () => client.key.slice(0, -1), 'INVALID_API_KEY', 'Invalid API key'],
    ['with another prefix', () => client.key.replace('csk', 'sk'), 'INVALID_API_KEY', 'Invalid API key'],
  ])('%s: 401 on every path and method', async (_, value, code, error) => {
    const key = value();
    for (const path of [
      '/verifications',
      '/verifications/some-id',
      '/verifications/some-id/details',
      '/nothing',
      '',
    ]) {
      expectRefusal(await api.request(path, { key }), 401, code, error);
      expectRefusal(await api.request(path, { key, method: 'POST' }), 401, code, error);
    }
  });

  it('an expired key gets 401 API_KEY_EXPIRED from the moment of its expiry', async () => {
    const { key } = await givenClient(api, {}, { expiresInDays: 30 });
    api.clock.advance(30 * DAY - 1);
    expect((await api.request('/verifications', { key })).status).toBe(200);
    api.clock.advance(1);
    expectRefusal(await api.request('/verifications', { key }), 401, 'API_KEY_EXPIRED', 'API key has expired');
  });

  it('a revoked key gets 401 API_KEY_REVOKED with the next request', async () => {
    const { key, keyId, clientId } = client;
    expect((await api.request('/verifications', { key })).status).toBe(200);
    await api.countersign.apiKeys.revoke(clientId, keyId);
    expectRefusal(
      await api.request('/verifications', { key }),
      401,
      'API_KEY_REVOKED',
      'API key has been revoked',
    );
  });

  describe('with networks', () => {
    async function given(more: { readonly expiresInDays?: 30 } = {}) {
      const networks = ['203.0.113.0/24', '2001:db8::/32'];
      const issued = await api.countersign.apiKeys.issue(client.clientId, {
        permissions: ['*'],
        networks,
        ...more,
      });
      return { key: issued.value, keyId: issued.key.id, clientId: issued.key.clientId };
    }
    const from = (key: string, address: string) => api.request('/verifications', { key, address });

    it.each(['203.0.113.0', '203.0.113.255', '::ffff:203.0.113.9', '2001:db8:1::1'])(
      'works from %s',
      async (address) => {
        expect((await from((await given()).key, address)).status).toBe(200);
      },
    );

    it.each(['203.0.114.0', '192.0.2.1', '::ffff:192.0.2.1', '2001:db9::1', '', 'unknown'])(
      'gets 401 from "%s", like a key that does not exist',
      async (address) => {
        const refused = await from((await given()).key, address);
        const unknown = await from(`csk_${'f'.repeat(64)}`, address);
        expectRefusal(refused, 401, 'INVALID_API_KEY', 'Invalid API key');
        expect([...refused.headers.keys()]).toEqual([...unknown.headers.keys()]);
      },
    );

    it('gets 401 INVALID_API_KEY from elsewhere also after it is revoked or has expired', async () => {
      const { key, keyId, clientId } = await given();
      await api.countersign.apiKeys.revoke(clientId, keyId);
      expectRefusal(await from(key, '192.0.2.1'), 401, 'INVALID_API_KEY');
      expectRefusal(await from(key, '203.0.113.1'), 401, 'API_KEY_REVOKED');
      const expiring = await given({ expiresInDays: 30 });
      api.clock.advance(30 * DAY);
      expectRefusal(await from(expiring.key, '192.0.2.1'), 401, 'INVALID_API_KEY');
      expectRefusal(await from(expiring.key, '203.0.113.1'), 401, 'API_KEY_EXPIRED');
    });

    it('counts refused requests for their address, not for the client', async () => {
      const { key } = await given();
      const before = Number((await from(key, '192.0.2.1')).headers.get('x-ratelimit-remaining'));
      expect(Number((await from(key, '192.0.2.1')).headers.get('x-ratelimit-remaining'))).toBe(before - 1);
      expect(Number((await from(key, '203.0.113.1')).headers.get('x-ratelimit-remaining'))).toBe(99);
    });
  });

  it('sent twice gets 401 INVALID_API_KEY', async () => {
    const headers = new Headers([
      ['X-API-Key', client.key],
      ['X-API-Key', client.key],
    ]);
    expectRefusal(await api.request('/verifications', { headers }), 401, 'INVALID_API_KEY');
  });
});

describe('Authorization: Bearer without X-API-Key', () => {
  const HINT = 'The request has an Authorization header. Send the API key in the X-API-Key header instead.';
  const bearer = (value: string) => api.request('/verifications', { headers: { Authorization: value } });

  it.each(['Bearer', 'bearer', 'BEARER'])(
    '%s: 401 API_KEY_REQUIRED, with a hint to send it in X-API-Key',
    async (scheme) => {
      const answer = await bearer(`${scheme} ${client.key}`);
      expectRefusal(answer, 401, 'API_KEY_REQUIRED', REQUIRED);
      expect(answer.body.data).toEqual({ hint: HINT });
    },
  );

  it('Bearer without a value: 401 API_KEY_REQUIRED, with the hint', async () => {
    expect((await bearer('Bearer')).body.data).toEqual({ hint: HINT });
  });

  it.each(['Basic YTpi', 'Bearerish x', 'Basic bearer', ''])(
    '%j: 401 API_KEY_REQUIRED, without a hint',
    async (value) => {
      const answer = await bearer(value);
      expectRefusal(answer, 401, 'API_KEY_REQUIRED', REQUIRED);
      expect(answer.body).not.toHaveProperty('data');
    },
  );

  it('next to a key in X-API-Key it is ignored', async () => {
    const headers = { Authorization: `Bearer ${client.key}` };
    const answer = await api.request('/verifications', { key: 'secret', headers });
    expectRefusal(answer, 401, 'INVALID_API_KEY', 'Invalid API key');
    expect(answer.body).not.toHaveProperty('data');
    expect(
      (await api.request('/verifications', { key: client.key, headers: { Authorization: 'Bearer x' } })).status,
    ).toBe(200);
  });

  it('its value reaches no log entry, no response and no fault handler', async () => {
    const failing = givenApi({
      rateLimiter: () => ({
        consume: () => Promise.reject(new Error('limiter down')),
        giveBack: () => Promise.reject(new Error('limiter down')),
      }),
    });
    const headers = { Authorization: `Bearer ${client.key}` };
    const answer = await bearer(`Bearer ${client.key}`);
    await failing.app.request('/api/v1/verifications', { headers });
    expect(failing.faults).toHaveLength(1);
    const kept = JSON.stringify([answer.body, [...answer.headers], api.entries, failing.entries, failing.faults]);
    expect(kept).not.toContain(client.key);
  });
});

describe('permissions', () => {
  const needs = {
    'verifications:create': [
      ['POST', '/verifications'],
      ['POST', '/verifications/some-id/withdraw'],
    ],
    'verifications:read': [
      ['GET', '/verifications'],
      ['GET', '/verifications/some-id'],
      ['GET', '/verifications/some-id/details'],
    ],
  } as const;

  it.each([
    ['verifications:create', 'verifications:read'],
    ['verifications:read', 'verifications:create'],
  ] as const)(
    'a key with only %s gets 403 INSUFFICIENT_PERMISSIONS where %s is needed',
    async (granted, needed) => {
      const { key } = await givenClient(api, {}, { permissions: [granted] });
      for (const [method, path] of needs[needed]) {
        const answer = await api.request(path, { key, method });
        expectRefusal(answer, 403, 'INSUFFICIENT_PERMISSIONS', 'Insufficient permissions');
      }
      for (const [method, path] of needs[granted]) {
        expect((await api.request(path, { key, method })).status).not.toBe(403);
      }
    },
  );
});

describe('the order of the checks', () => {
  it('key, rate limit, route, permission, path, query, media type, size, JSON', async () => {
    const reading = await givenClient(api, {}, { permissions: ['verifications:read'] });
    const large = 'x'.repeat(70_000);
    const post = { method: 'POST', body: large, headers: { 'Content-Type': 'text/plain' } };

    expectRefusal(await api.request('/nothing'), 401, 'API_KEY_REQUIRED');
    expectRefusal(await api.request('/nothing', { key: reading.key }), 404, 'NOT_FOUND');
    expectRefusal(
      await api.request('/verifications/%zz', { ...post, key: reading.key }),
      405,
      'METHOD_NOT_ALLOWED',
    );
    expectRefusal(
      await api.request('/verifications?x', { ...post, key: reading.key }),
      403,
      'INSUFFICIENT_PERMISSIONS',
    );
    expectRefusal(await api.request('/verifications?x', { ...post, key: client.key }), 400, 'INVALID_PARAMETERS');
    expectRefusal(
      await api.request('/verifications', { ...post, key: client.key }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
    expectRefusal(await api.post(large, { key: client.key }), 413, 'PAYLOAD_TOO_LARGE');
    expectRefusal(await api.post('{', { key: client.key }), 400, 'INVALID_JSON');
  });

  it('the body is not read when the permission is missing', async () => {
    const { key } = await givenClient(api, {}, { permissions: ['verifications:read'] });
    const request = new Request('http://localhost/api/v1/verifications', {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(subject()),
    });
    expect((await api.app.request(request)).status).toBe(403);
    expect(request.bodyUsed).toBe(false);
  });
});
