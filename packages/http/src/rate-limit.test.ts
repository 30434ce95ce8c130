import { beforeEach, describe, expect, it } from 'vitest';
import { type ApiAnswer, dataOf, expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, givenApi, givenClient } from '../test-support/api.ts';

let api: GivenApi;

beforeEach(() => {
  api = givenApi();
});

const limitsOf = ({ headers }: ApiAnswer) =>
  ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`));

async function statusesOf(count: number, send: () => Promise<ApiAnswer>): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: count }, send));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('the rate limit of a client', () => {
  it('the rate limit of a client is shared by all keys and all requests of the client', async () => {
    const { clientId, key } = await givenClient(api);
    const other = await api.countersign.apiKeys.issue(clientId, { permissions: ['verifications:create'] });
    await api.request('/verifications', { key });
    await api.request('/verifications', { key: other.value });
    await api.request('/nothing', { key });
    await api.request('/verifications', { key, method: 'DELETE' });
    await api.post('{', { key });
    expect(limitsOf(await api.request('/verifications', { key }))[1]).toBe('94');
  });

  it('headers give limit, remaining and reset; the window ends at the reset', async () => {
    api.clock.set('2026-01-15T12:00:00.300Z');
    const { key } = await givenClient(api);
    // 12:01:00.300 rounded up: at that time the new window has begun.
    const reset = String(Date.parse('2026-01-15T12:01:01Z') / 1000);
    expect(limitsOf(await api.request('/verifications', { key }))).toEqual(['100', '99', reset]);

    await statusesOf(99, () => api.request('/verifications', { key }));
    api.clock.advance(20_100);
    const refused = await api.request('/verifications', { key });
    expectRefusal(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(limitsOf(refused)).toEqual(['100', '0', reset]);
    expect(refused.headers.get('Retry-After')).toBe('40');

    api.clock.advance(39_899);
    const almost = await api.request('/verifications', { key });
    expectRefusal(almost, 429, 'RATE_LIMIT_EXCEEDED');
    expect(almost.headers.get('Retry-After')).toBe('1');
    api.clock.advance(1);
    expect((await api.request('/verifications', { key })).status).toBe(200);
  });

  it('a client over its rate limit creates nothing', async () => {
    const { key } = await givenClient(api);
    await statusesOf(100, () => api.request('/verifications', { key }));
    expectRefusal(
      await api.post({ subjectType: 'kyc', subjectReference: 'a' }, { key }),
      429,
      'RATE_LIMIT_EXCEEDED',
    );
    expectRefusal(await api.request('/nothing', { key }), 429, 'RATE_LIMIT_EXCEEDED');
    api.clock.advance(60_000);
    const list = await api.request('/verifications', { key });
    expect(dataOf(list).pagination).toMatchObject({ totalCount: 0 });
  });
});

describe('the rate limit of an address', () => {
  it('counts requests without a valid key; over the limit they get 429 instead of 401', async () => {
    const revoked = await givenClient(api);
    await api.countersign.apiKeys.revoke(revoked.clientId, revoked.keyId);
    const keys = [undefined, 'secret', `csk_${'f'.repeat(64)}`, revoked.key];
    let sent = 0;
    const send = () => api.request('/verifications', { key: keys[sent++ % keys.length] });

    expect(await statusesOf(150, send)).toEqual({ 401: 100, 429: 50 });
    expectRefusal(await api.request('/openapi.json'), 429, 'RATE_LIMIT_EXCEEDED');
    expect((await api.request('/openapi.json', { address: '192.0.2.2' })).status).toBe(200);
  });

  it('the rate limit of an address is independent of the limit of a client at the same address', async () => {
    const { key } = await givenClient(api);
    await statusesOf(150, () => api.request('/verifications'));
    expect(limitsOf(await api.request('/verifications', { key }))[1]).toBe('99');
    await statusesOf(150, () => api.request('/verifications', { key }));
    expectRefusal(await api.request('/verifications', { address: '192.0.2.2' }), 401, 'API_KEY_REQUIRED');
  });

  it('counts /openapi.json, with and without a key', async () => {
    const { key } = await givenClient(api);
    expect(limitsOf(await api.request('/openapi.json', { key }))[1]).toBe('99');
    expect(limitsOf(await api.request('/openapi.json'))[1]).toBe('98');
    expect(limitsOf(await api.request('/verifications', { key }))[1]).toBe('99');
  });
});
