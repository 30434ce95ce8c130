import {
  type Answer,
  atOnce,
  createApiClient,
  expectRefusal,
  kindsOf,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { expectReset, limitsOf } from '@countersign/test-support/api/rate-limit-headers';
import { givenApi } from '@countersign/test-support/installation/customer';
import { givenKey } from '@countersign/test-support/installation/operator';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

describe('the default rate limit', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServer({ rateLimits: 'of the program' });
  });

  const inSequence = async (count: number, action: () => Promise<Answer>) => {
    const answers: Answer[] = [];
    for (let n = 0; n < count; n++) answers.push(await action());
    return answers;
  };

  it.each([
    ['standard', 100, 150],
    ['enterprise', 500, 600],
    // Without an active subscription, the standard limit applies.
    ['none', 100, 150],
  ] as const)('plan %s: exactly %i of %i concurrent requests succeed', async (plan, limit, count) => {
    const { api } = await givenApi(server, { plan });
    const before = Date.now();

    const answers = await atOnce(count, () => api.get());

    const after = Date.now();
    expect(kindsOf(answers)).toEqual({ '200': limit, '429 RATE_LIMIT_EXCEEDED': count - limit });
    for (const answer of answers) {
      expect(limitsOf(answer).limit).toBe(limit);
      expectReset(limitsOf(answer).reset, before, after);
    }
    const remaining = answers.filter(({ status }) => status === 200).map((answer) => limitsOf(answer).remaining);
    expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: limit }, (_, n) => limit - 1 - n));
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expectRefusal(answer, 429, 'RATE_LIMIT_EXCEEDED');
      expect(limitsOf(answer).remaining).toBe(0);
      const retryAfter = answer.headers.get('retry-after');
      expect(retryAfter).toMatch(/^([1-9]|[1-5]\d|60)$/);
      // A client that waits Retry-After seconds does not retry too early.
      expect(after + Number(retryAfter) * 1000).toBeGreaterThanOrEqual(limitsOf(answer).reset * 1000 - 1000);
    }
    expect(new Set(answers.map((answer) => limitsOf(answer).reset)).size).toBe(1);
  });

  it.each([
    ['standard', 100, 150],
    ['enterprise', 500, 600],
  ] as const)('plan %s: exactly the first %i of %i sequential requests succeed', async (plan, limit, count) => {
    const { api } = await givenApi(server, { plan });

    const answers = await inSequence(count, () => api.get());

    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual([...Array<number>(limit).fill(200), ...Array<number>(count - limit).fill(429)]);
    expect(answers.slice(0, limit).map((answer) => limitsOf(answer).remaining)).toEqual(
      Array.from({ length: limit }, (_, n) => limit - 1 - n),
    );
  });

  it('all keys and requests of a client share one limit, including refused requests', async () => {
    const { api, clientId } = await givenApi(server);
    const second = createApiClient(server.baseUrl, await givenKey(server, clientId));
    const asked = [
      () => api.get(),
      () => second.get(),
      () => api.get('/nothing'),
      () => second.post('{'),
      () => api.request('/verifications', { method: 'DELETE' }),
    ];

    const answers = await atOnce(100, (n) => (asked[n % asked.length] as () => Promise<Answer>)());

    expect(kindsOf(answers)['429 RATE_LIMIT_EXCEEDED']).toBeUndefined();
    expectRefusal(await second.get(), 429, 'RATE_LIMIT_EXCEEDED');
    // Creation is limited too; other clients are not.
    expectRefusal(await api.post(newSubject('user_1')), 429, 'RATE_LIMIT_EXCEEDED');
    expect((await (await givenApi(server)).api.get()).status).toBe(200);
  });

  it('requests without a valid key count against the address, not a client', async () => {
    const { api } = await givenApi(server);
    const stranger = createApiClient(server.baseUrl);
    const guess = createApiClient(server.baseUrl, `csk_${'0'.repeat(64)}`);
    // Without a trusted proxy, clients can forge this header.
    const pretending = (n: number) => ({ headers: { 'X-Forwarded-For': `192.0.2.${n}` } });

    const answers = await atOnce(150, (n) =>
      (n % 2 === 0 ? stranger : guess).request('/verifications', pretending(n)),
    );

    const kinds = kindsOf(answers);
    expect(kinds['429 RATE_LIMIT_EXCEEDED']).toBe(50);
    expect((kinds['401 API_KEY_REQUIRED'] ?? 0) + (kinds['401 INVALID_API_KEY'] ?? 0)).toBe(100);
    expect((await api.get()).status).toBe(200);
  });

  it('requests without a key count against the address that a trusted proxy forwards', async () => {
    const proxied = await startServer({ env: { TRUST_PROXY: '1', ANONYMOUS_REQUESTS_PER_MINUTE: '1' } });
    const stranger = createApiClient(proxied.baseUrl);
    const from = (addresses: string) =>
      stranger.request('/verifications', { headers: { 'X-Forwarded-For': addresses } });

    expectRefusal(await from('192.0.2.1'), 401, 'API_KEY_REQUIRED');
    expectRefusal(await from('192.0.2.2'), 401, 'API_KEY_REQUIRED');
    // The proxy appends its entry; the client wrote the entries left of it.
    expectRefusal(await from('192.0.2.3, 192.0.2.1'), 429, 'RATE_LIMIT_EXCEEDED');
    // The addresses of one IPv6 network share one limit.
    expectRefusal(await from('2001:db8::1'), 401, 'API_KEY_REQUIRED');
    expectRefusal(await from('2001:db8::2'), 429, 'RATE_LIMIT_EXCEEDED');
  });
});
