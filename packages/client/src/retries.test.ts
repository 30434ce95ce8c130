import { describe, expect, it } from 'vitest';
import { clientAnswered, givenApi, refusal } from '../test-support/api.ts';
import { errorOf } from '../test-support/errors.ts';
import { recordRetryDelays } from '../test-support/retry-delays.ts';
import { retryAfterSecondsIn } from './retries.ts';

const page = () =>
  Response.json({
    success: true,
    data: {
      verifications: [],
      pagination: { page: 1, limit: 20, totalCount: 0, totalPages: 0, hasMore: false },
    },
  });
const person = { subjectType: 'kyc', subjectReference: 'user_1' } as const;
const lost = () => Promise.reject(new TypeError('fetch failed'));

describe('a call is repeated', () => {
  it('a call is repeated after 429, when the window of the rate limit ends', async () => {
    const { client, clock, sent } = await givenApi({
      between: (request, api) => {
        // By now the client has waited for the time in `Retry-After`.
        if (sent.length === 102) clock.advance(60_000);
        return api(request);
      },
    });
    const delays = recordRetryDelays();
    for (let index = 0; index < 100; index++) await client.verifications.list();
    expect((await client.verifications.list()).pagination.totalCount).toBe(0);
    expect(sent.length).toBe(102);
    expect(delays).toEqual([60_000]);
  });

  it.each([
    ['503 SERVICE_UNAVAILABLE', () => refusal(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '2' })],
    ['408 REQUEST_TIMEOUT', () => refusal(408, 'REQUEST_TIMEOUT')],
    [
      '502 of a proxy, in HTML',
      () => new Response('<html>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
    ],
    ['504 of a proxy, empty', () => new Response('', { status: 504 })],
    ['a lost connection', lost],
  ])('a call is repeated after %s', async (_, failure) => {
    const delays = recordRetryDelays();
    const { client, sent } = clientAnswered([failure, failure, page]);
    expect((await client.verifications.list()).verifications).toEqual([]);
    expect([sent.length, delays.length]).toEqual([3, 2]);
  });

  it('a call is repeated with the same Idempotency-Key, so that a lost answer creates nothing twice', async () => {
    recordRetryDelays();
    const { client, countersign, clientId, sent } = await givenApi({
      between: async (request, api) => {
        const answer = await api(request);
        return sent.length === 1 ? await lost() : answer;
      },
    });
    const { id } = await client.verifications.create(person);
    expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1);
    const bodies = await Promise.all(sent.map((request) => request.text()));
    expect(bodies).toEqual([JSON.stringify(person), JSON.stringify(person)]);
    expect((await client.verifications.list()).verifications.map((one) => one.id)).toEqual([id]);
    expect((await countersign.clients.usage(clientId)).used).toBe(1);
  });
});

describe('a call fails', () => {
  it.each([0, 1, 2, 3])('a call fails after %d repetitions, with the last error', async (maxRetries) => {
    recordRetryDelays();
    const { client, sent } = clientAnswered([lost, () => refusal(503, 'SERVICE_UNAVAILABLE')], { maxRetries });
    const { code } = await errorOf(client.verifications.list());
    expect(code).toBe(maxRetries === 0 ? 'CONNECTION_FAILED' : 'SERVICE_UNAVAILABLE');
    expect(sent.length).toBe(maxRetries + 1);
  });

  it.each([
    [400, 'INVALID_PARAMETERS'],
    [401, 'INVALID_API_KEY'],
    [409, 'DUPLICATE_SUBJECT_REFERENCE'],
    [500, 'INTERNAL_ERROR'],
  ])('immediately after %d %s', async (status, code) => {
    const { client, sent } = clientAnswered([() => refusal(status, code)]);
    expect(await errorOf(client.verifications.create(person))).toMatchObject({ status, code, data: undefined });
    expect(sent.length).toBe(1);
  });

  it.each(['61', '999999999999', '9'.repeat(400)])(
    'immediately if Retry-After is %s, longer than maxWaitMs',
    async (value) => {
      const { client, sent } = clientAnswered([
        () => refusal(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': value }),
      ]);
      const { code, retryAfterSeconds } = await errorOf(client.verifications.list());
      expect([code, retryAfterSeconds]).toEqual(['RATE_LIMIT_EXCEEDED', value === '61' ? 61 : 86_400]);
      expect(sent.length).toBe(1);
    },
  );
});

describe('the wait before a repetition', () => {
  it('doubles, varies and stays below maxWaitMs', async () => {
    const delays = recordRetryDelays();
    const { client } = clientAnswered([lost], { maxRetries: 10, maxWaitMs: 6_000 });
    await errorOf(client.verifications.list());
    const longest = [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000, 8_000];
    for (const [index, wait] of delays.entries()) {
      expect(wait).toBeGreaterThanOrEqual(Math.min((longest[index] ?? 0) / 2, 6_000));
      expect(wait).toBeLessThanOrEqual(Math.min(longest[index] ?? 0, 6_000));
    }
    expect(delays.length).toBe(10);
    expect(new Set(delays).size).toBeGreaterThan(3);
  });

  it('the wait before a repetition is never shorter than Retry-After', async () => {
    const delays = recordRetryDelays();
    const { client } = clientAnswered([() => refusal(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '7' }), page]);
    await client.verifications.list();
    expect(delays[0]).toBeGreaterThanOrEqual(7_250);
    expect(delays[0]).toBeLessThanOrEqual(7_500);
  });

  it('ends when the signal aborts', async () => {
    const controller = new AbortController();
    const { client, sent } = clientAnswered([() => refusal(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '50' })]);
    const call = client.verifications.list({}, { signal: controller.signal });
    await expect.poll(() => sent.length).toBe(1);
    controller.abort(new Error('no longer needed'));
    await expect(call).rejects.toThrow('no longer needed');
    expect(sent.length).toBe(1);
  });
});

describe('Retry-After', () => {
  const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
  it.each([
    ['0', 0],
    ['120', 120],
    [' 5 ', 5],
    ['Sun, 06 Nov 1994 08:50:37 GMT', 60],
    ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
    ['Sun, 06 Nov 2994 08:49:37 GMT', 86_400],
    ['99999999', 86_400],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['foo 5', undefined],
    ['Sun, 99 Nov 1994 08:49:37 GMT', undefined],
    ['1994-11-06T08:49:37Z', undefined],
  ])('%j is %s seconds', (value, seconds) => {
    expect(retryAfterSecondsIn(new Headers({ 'Retry-After': value, Date: date }))).toBe(seconds);
  });

  it('absent: undefined', () => {
    expect(retryAfterSecondsIn(new Headers())).toBeUndefined();
  });

  it('a date counts from the clock of this machine if the server says no date', () => {
    const soon = new Date(Date.now() + 3_600_000).toUTCString();
    const seconds = retryAfterSecondsIn(new Headers({ 'Retry-After': soon })) ?? 0;
    expect(Math.abs(seconds - 3_600)).toBeLessThan(60);
  });
});
