import {
  type Answer,
  createApiClient,
  expectCommonHeaders,
  expectRefusal,
  idOf,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { expectReset, limitsOf } from '@countersign/test-support/api/rate-limit-headers';
import { exchangeRaw, openConnection } from '@countersign/test-support/api/raw-connection';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { change } from '@countersign/test-support/installation/database-file';
import { givenKey } from '@countersign/test-support/installation/operator';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

describe('X-RateLimit-Limit, -Remaining and -Reset', () => {
  let server: ServerProcess;
  let client: GivenApi;

  beforeAll(async () => {
    server = await startServer({ env: { ENTERPRISE_REQUESTS_PER_MINUTE: '1' } });
    client = await givenApi(server, { monthlyLimit: 3 });
  });

  /** Sends a request and expects the status, the code and the rate limit headers. */
  async function expectHeaders(send: () => Promise<Answer>, expected: number | string): Promise<Answer> {
    const before = Date.now();
    const answer = await send();
    const [status, code] = String(expected).split(' ');
    expect(answer.status, JSON.stringify(answer.body)).toBe(Number(status));
    if (code !== undefined) expectRefusal(answer, Number(status), code);
    expectCommonHeaders(answer.headers);
    expectReset(limitsOf(answer).reset, before, Date.now());
    return answer;
  }

  it('are present on every response of the API', async () => {
    const stranger = createApiClient(server.baseUrl);
    const reading = createApiClient(server.baseUrl, await givenKey(server, client.clientId, 'verifications:read'));
    const { api } = client;
    const { api: patient } = await givenApi(server, { plan: 'enterprise' });
    const once = { 'Idempotency-Key': 'order-1' };

    const id = idOf(await expectHeaders(() => api.post(newSubject('user_1'), once), 201));
    await expectHeaders(() => api.post(newSubject('user_1'), once), 201);
    await expectHeaders(() => api.get(), 200);
    await expectHeaders(() => api.get(`/verifications/${id}`), 200);
    await expectHeaders(() => api.get(`/verifications/${id}/details`), 200);
    await expectHeaders(
      () => stranger.get('/openapi.json').then((answer) => ({ ...answer, body: { success: true } })),
      200,
    );
    await expectHeaders(() => api.post({}), '400 INVALID_SUBJECT_TYPE');
    await expectHeaders(() => api.get('/verifications?page=0'), '400 INVALID_PARAMETERS');
    await expectHeaders(() => stranger.get(), '401 API_KEY_REQUIRED');
    await expectHeaders(() => stranger.get('/nothing'), '401 API_KEY_REQUIRED');
    await expectHeaders(() => reading.post(newSubject('user_2')), '403 INSUFFICIENT_PERMISSIONS');
    await expectHeaders(() => api.get('/verifications/unknown'), '404 VERIFICATION_NOT_FOUND');
    await expectHeaders(() => api.get('/nothing'), '404 NOT_FOUND');
    await expectHeaders(() => createApiClient(server.origin).get('/nothing'), '404 NOT_FOUND');
    await expectHeaders(() => api.request('/verifications', { method: 'DELETE' }), '405 METHOD_NOT_ALLOWED');
    await expectHeaders(() => api.post(newSubject('user_1')), '409 DUPLICATE_SUBJECT_REFERENCE');
    await expectHeaders(() => api.post(' '.repeat(70_000)), '413 PAYLOAD_TOO_LARGE');
    await expectHeaders(() => api.post('{}', { 'Content-Type': 'text/plain' }), '415 UNSUPPORTED_MEDIA_TYPE');
    await expectHeaders(() => api.post(newSubject('user_2'), once), '422 IDEMPOTENCY_KEY_REUSED');
    await expectHeaders(() => patient.get(), 200);
    await expectHeaders(() => patient.get(), '429 RATE_LIMIT_EXCEEDED');
    await api.post(newSubject('user_2'));
    await api.post(newSubject('user_3'));
    await expectHeaders(() => api.post(newSubject('user_4')), '403 LIMIT_EXCEEDED');
  });

  it('are present on a 500, and the log has the cause under its X-Request-Id', async () => {
    const { api } = await givenApi(server);
    const id = idOf(await api.post(newSubject('user_1')));
    change(server.databaseFile, `UPDATE verifications SET metadata = 'not JSON' WHERE id = ?`, id);

    const answer = await expectHeaders(() => api.get(`/verifications/${id}`), '500 INTERNAL_ERROR');
    await expectHeaders(() => api.get(`/verifications/${id}/details`), '500 INTERNAL_ERROR');
    await expectHeaders(() => api.get(), 200);

    expect(answer.body).toEqual({
      success: false,
      code: 'INTERNAL_ERROR',
      error: expect.stringMatching(/^Internal server error\./) as string,
    });
    const requestId = answer.headers.get('x-request-id') ?? '';
    expect((await server.says(new RegExp(`^.*"level":"error".*${requestId}.*$`, 'm')))[0]).toContain(
      '"stack":"at ',
    );
    // Other requests still succeed.
    await expectHeaders(() => api.post(newSubject('user_2')), 201);
  });

  it('are present on responses to invalid HTTP', async () => {
    const raw = (text: string) => () => exchangeRaw(server, text);
    const first = 'GET /api/v1/verifications HTTP/1.1\r\n';
    const slow = async () => {
      const connection = await openConnection(server);
      connection.send(`${first}Host: x\r\n`);
      return await connection.answer;
    };

    await expectHeaders(raw('nonsense\r\n\r\n'), '400 BAD_REQUEST');
    await expectHeaders(
      raw(`${first}Host: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`),
      '400 BAD_REQUEST',
    );
    await expectHeaders(raw(`${first}Connection: close\r\n\r\n`), '400 BAD_REQUEST');
    await expectHeaders(raw('GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), '400 BAD_REQUEST');
    await expectHeaders(
      raw(`${first}Host: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`),
      '431 REQUEST_HEADER_FIELDS_TOO_LARGE',
    );
    await expectHeaders(slow, '408 REQUEST_TIMEOUT');
  });
});
