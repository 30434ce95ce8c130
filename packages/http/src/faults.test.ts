import { CountersignError } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, givenApi, givenClient, subject } from '../test-support/api.ts';
import { messageOf } from './errors.ts';

const SECRET = 'connect ECONNREFUSED postgres://user:secret@db';
const broken = () => Promise.reject(new Error(SECRET));
const unavailable = () => Promise.reject(new CountersignError('SERVICE_UNAVAILABLE', SECRET));

const withVerifications = (change: Partial<Storage['verifications']>) => (storage: Storage) => ({
  ...storage,
  verifications: { ...storage.verifications, ...change },
});

/** Authentication works until `fail` is called. */
function givenFailingKeys(failure: () => Promise<never>): { api: GivenApi; fail: () => void } {
  let failing = false;
  const api = givenApi({
    storage: (storage) => ({
      ...storage,
      apiKeys: {
        ...storage.apiKeys,
        resolve: (hash) => (failing ? failure() : storage.apiKeys.resolve(hash)),
      },
    }),
  });
  const fail = (): void => {
    failing = true;
  };
  return { api, fail };
}

describe('an unexpected error', () => {
  it('gets 500 without details; onFault receives it with the X-Request-Id', async () => {
    const api = givenApi({ storage: withVerifications({ find: broken }) });
    const { key } = await givenClient(api);

    const answer = await api.request('/verifications/some-id', { key });

    expectRefusal(answer, 500, 'INTERNAL_ERROR', messageOf('INTERNAL_ERROR'));
    expect(answer.body.data).toBeUndefined();
    expect(JSON.stringify([answer.body, [...answer.headers]])).not.toContain('secret');
    const requestId = answer.headers.get('X-Request-Id');
    expect(api.faults).toEqual([
      { fault: new Error(SECRET), entry: { requestId, method: 'GET', path: '/verifications/{id}' } },
    ]);
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('99');
  });

  it.each([
    ['GET', '/verifications', { list: broken }],
    ['GET', '/verifications/some-id/details', { findWithHistory: broken }],
    ['POST', '/verifications', { createCharged: broken }],
    ['POST', '/verifications/some-id/withdraw', { find: broken }],
  ] as const)('an unexpected error in %s %s gets 500 INTERNAL_ERROR', async (method, path, change) => {
    const api = givenApi({ storage: withVerifications(change) });
    const { key } = await givenClient(api);
    const isCreation = method === 'POST' && path === '/verifications';
    const answer = isCreation ? await api.post(subject(), { key }) : await api.request(path, { key, method });
    expectRefusal(answer, 500, 'INTERNAL_ERROR', messageOf('INTERNAL_ERROR'));
    expect(api.faults).toHaveLength(1);
  });

  it('an unexpected error that is not an Error gets 500 INTERNAL_ERROR', async () => {
    // Libraries may throw any value.
    const noError = 'thrown' as unknown as Error;
    const api = givenApi({
      storage: withVerifications({ find: () => Promise.reject(noError) }),
    });
    const { key } = await givenClient(api);
    expectRefusal(await api.request('/verifications/some-id', { key }), 500, 'INTERNAL_ERROR');
    expect(api.faults).toMatchObject([{ fault: 'thrown' }]);
  });
});

describe('an unavailable database', () => {
  it('gets 503 with Retry-After and without details', async () => {
    const api = givenApi({ storage: withVerifications({ find: unavailable }) });
    const { key } = await givenClient(api);

    const answer = await api.request('/verifications/some-id', { key });

    expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
    expect(answer.body.error).not.toContain('secret');
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(api.faults).toHaveLength(1);
  });

  it.each([
    [500, 'INTERNAL_ERROR', broken],
    [503, 'SERVICE_UNAVAILABLE', unavailable],
  ] as const)('during the look-up of the key: %i, counted for the address', async (status, code, failure) => {
    const { api, fail } = givenFailingKeys(failure);
    const { key } = await givenClient(api);
    fail();

    const answer = await api.request('/verifications', { key });

    expectRefusal(answer, status, code);
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('99');
    expect((await api.request('/openapi.json')).headers.get('X-RateLimit-Remaining')).toBe('98');
    expect(api.faults).toHaveLength(1);
  });

  it('gets 503, not 429, when the rate limit of the address is used up too', async () => {
    const { api, fail } = givenFailingKeys(unavailable);
    const { key } = await givenClient(api);
    fail();
    await Promise.all(Array.from({ length: 100 }, () => api.request('/openapi.json')));
    const answer = await api.request('/verifications', { key });
    expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('0');
  });
});

describe('a failing rate limiter', () => {
  it.each(['/verifications', '/openapi.json'])(
    'gets 500 in the envelope on %s, without rate limit headers',
    async (path) => {
      const api = givenApi({ rateLimiter: () => ({ consume: broken, giveBack: broken }) });
      const { key } = await givenClient(api);
      for (const headers of [{ 'X-API-Key': key }, new Headers()]) {
        const response = await api.app.request(`/api/v1${path}`, { headers });
        expect(response.status).toBe(500);
        const envelope = { success: false, error: messageOf('INTERNAL_ERROR'), code: 'INTERNAL_ERROR' };
        expect(await response.json()).toEqual(envelope);
        expect(response.headers.get('X-Request-Id')).toMatch(/^request-/);
        expect(response.headers.get('X-RateLimit-Limit')).toBeNull();
      }
      expect(api.faults).toMatchObject([{ fault: { message: SECRET } }, { fault: { message: SECRET } }]);
    },
  );
});
