import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient, subject } from '../test-support/api.ts';
import { creationMessage } from './creation-message.ts';

let api: GivenApi;
let client: GivenClient;

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
});

const used = async () => (await api.countersign.clients.usage(client.clientId)).used;

describe('POST /verifications', () => {
  it.each([
    [
      'fr',
      'Verification created. The pages are not available in "fr" and open in the language of the subject\'s browser, English or German',
    ],
    ['de-AT', 'Verification created'],
  ])('with the locale %s, the message says which language it will be', async (locale, message) => {
    const { status, body } = await api.post({ ...subject(), locale }, { key: client.key });
    expect([status, body]).toEqual([201, expect.objectContaining({ message })]);
  });

  it('names the language of the mails only where the subject receives any', async () => {
    const body = { locale: 'fr', notify: { email: 'ada@example.org' } };
    expect(creationMessage(body)).toMatch(/, English or German\. E-mails to the subject are in English$/);
  });

  it('answers 201 with the seven fields, a message and a Location', async () => {
    const { status, headers, body } = await api.post({ ...subject(), metadata: { a: 1 } }, { key: client.key });
    const id = String(dataOf({ body }).id);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        success: true,
        message: 'Verification created',
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          type: 'kyc',
          subjectReference: 'user_1',
          status: 'pending',
          requestedAt: '2026-01-15T12:00:00.000Z',
          currentStep: 0,
          verificationUrl: expect.stringMatching(`^https://verify\\.example/verify/${id}\\.`) as string,
        },
      },
    });
    const location = new URL(headers.get('Location') ?? '', 'http://localhost/api/v1/verifications');
    expect(location.pathname).toBe(`/api/v1/verifications/${id}`);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Type')).toBe('application/json');
  });

  it.each<[what: string, body: object, code: string, path: string]>([
    ['nothing', {}, 'INVALID_SUBJECT_TYPE', 'subjectType'],
    ['no reference', { subjectType: 'kyb' }, 'MISSING_SUBJECT_REFERENCE', 'subjectReference'],
    [
      'metadata that is too large',
      { ...subject(), metadata: { a: 'x'.repeat(16_384) } },
      'INVALID_PARAMETERS',
      'metadata',
    ],
    ['an unknown field', { ...subject(), status: 'approved' }, 'INVALID_PARAMETERS', 'status'],
  ])('%s: 400, and nothing counts toward the monthly limit', async (_, body, code, path) => {
    const answer = await api.post(body, { key: client.key });
    expectRefusal(answer, 400, code);
    expect(dataOf(answer).issues).toContainEqual({ path, message: expect.stringMatching(/\S/) as string });
    expect(await used()).toBe(0);
  });

  it.each([
    ['bad values below a long key', `"metadata":{"${'k'.repeat(10_000)}":[${'1e400,'.repeat(4499)}1e400]}`],
    ['few bad values below long keys', `"metadata":{"${'k'.repeat(10_000)}":[${'1e400,'.repeat(999)}1e400]}`],
    ['unknown fields', Array.from({ length: 6500 }, (_, at) => `"f${at}":1`).join()],
  ])('very many %s: the error stays under 16 KiB', async (_, fields) => {
    const body = `{"subjectType":"kyc","subjectReference":"user_1",${fields}}`;
    expect(body.length).toBeLessThan(64 * 1024);
    const answer = await api.post(body, { key: client.key });
    expectRefusal(answer, 400, 'INVALID_PARAMETERS');
    expect(JSON.stringify(answer.body).length).toBeLessThan(16 * 1024);
  });

  it('a subject with an active verification: 409 with its id and status', async () => {
    const first = await api.post(subject(), { key: client.key });
    const second = await api.post({ ...subject(), subjectType: 'kyb' }, { key: client.key });
    expectRefusal(second, 409, 'DUPLICATE_SUBJECT_REFERENCE');
    expect(second.body.data).toEqual({ verificationId: dataOf(first).id, status: 'pending' });
    expect(await used()).toBe(1);
  });

  it('no active subscription: 403 NO_ACTIVE_SUBSCRIPTION', async () => {
    const { key } = await givenClient(api, { plan: 'none' });
    expectRefusal(await api.post(subject(), { key }), 403, 'NO_ACTIVE_SUBSCRIPTION');
  });

  it('over the monthly limit: 403 LIMIT_EXCEEDED', async () => {
    const { key } = await givenClient(api, { monthlyLimit: 1 });
    expect((await api.post(subject('a'), { key })).status).toBe(201);
    expectRefusal(await api.post(subject('b'), { key }), 403, 'LIMIT_EXCEEDED');
  });
});

describe('Idempotency-Key', () => {
  const headers = { 'Idempotency-Key': 'order 1' };

  it('repeats the first response and counts nothing', async () => {
    const first = await api.post(subject(), { key: client.key, headers });
    const again = await api.post({ subjectReference: 'user_1', subjectType: 'kyc' }, { key: client.key, headers });

    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(first.headers.get('Idempotent-Replayed')).toBeNull();
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.headers.get('Location')).toBe(first.headers.get('Location'));
    expect(await used()).toBe(1);
  });

  it('another body: 422 IDEMPOTENCY_KEY_REUSED', async () => {
    await api.post(subject(), { key: client.key, headers });
    expectRefusal(await api.post(subject('user_2'), { key: client.key, headers }), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await used()).toBe(1);
  });

  it.each(['', 'x'.repeat(256), 'schlüssel'])('%j: 400 INVALID_PARAMETERS', async (value) => {
    const answer = await api.post(subject(), { key: client.key, headers: { 'Idempotency-Key': value } });
    expectRefusal(answer, 400, 'INVALID_PARAMETERS');
    expect(dataOf(answer).issues).toMatchObject([{ path: 'Idempotency-Key' }]);
  });
});
