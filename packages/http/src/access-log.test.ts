import { describe, expect, it } from 'vitest';
import { dataOf } from '../test-support/answer.ts';
import { givenApi, givenClient } from '../test-support/api.ts';

describe('the access log entry', () => {
  it('the access log entry has the client, key, method, path, status and code', async () => {
    const api = givenApi();
    const { key, keyId, clientId } = await givenClient(api);
    await api.request('/verifications', { key });
    await api.request('/verifications');
    const durationMs = expect.any(Number) as number;
    expect(api.entries).toEqual([
      { requestId: 'request-1', method: 'GET', path: '/verifications', status: 200, durationMs, clientId, keyId },
      {
        requestId: 'request-2',
        method: 'GET',
        path: '/verifications',
        status: 401,
        durationMs,
        code: 'API_KEY_REQUIRED',
      },
    ]);
  });

  it('the access log entry has the time that the response took, which is no longer than the caller waited', async () => {
    const api = givenApi();
    const begun = performance.now();
    await api.request('/verifications');
    const waited = performance.now() - begun;
    const { durationMs = Number.NaN } = api.entries[0] ?? {};
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(durationMs).toBeLessThanOrEqual(waited);
  });

  it('the access log entry has the X-Request-Id of the response, not the one of the request', async () => {
    const api = givenApi();
    const { headers } = await api.request('/verifications', { headers: { 'X-Request-Id': 'mine' } });
    expect(headers.get('X-Request-Id')).toBe('request-1');
    expect(api.entries[0]).toMatchObject({ requestId: 'request-1', callerRequestId: 'mine' });
  });

  it('the access log entry has the traceparent of the request, and leaves out an invalid X-Request-Id', async () => {
    const api = givenApi();
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await api.request('/verifications', { headers: { traceparent } });
    await api.request('/verifications', { headers: { 'X-Request-Id': 'ada@example.org' } });
    expect(api.entries.map(({ callerRequestId }) => callerRequestId)).toEqual([traceparent, undefined]);
  });

  it('the access log entry has the id of the verification that was created, read, refused as a duplicate or not found', async () => {
    const api = givenApi();
    const { key } = await givenClient(api);
    const body = { subjectType: 'kyc', subjectReference: 'user_1' };
    const { id } = dataOf(await api.post(body, { key })) as { id: string };
    const unknown = '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602';
    await api.post(body, { key });
    for (const path of [id, `${id}/details`, unknown, 'ada', ''])
      await api.request(`/verifications/${path}`, { key });
    await api.request(`/verifications/${id}`);

    const logged = api.entries.map(({ status, verificationId }) => [status, verificationId]);
    expect(logged).toEqual([
      [201, id],
      [409, id],
      [200, id],
      [200, id],
      [404, unknown],
      [404, undefined],
      [404, undefined],
      [401, undefined],
    ]);
  });

  it('the access log entry has the id that the embedder takes from a trusted proxy', async () => {
    const api = givenApi({ newRequestId: (request) => request.header('x-request-id') ?? 'none' });
    const { headers } = await api.request('/verifications', { headers: { 'X-Request-Id': 'from-proxy' } });
    expect(headers.get('X-Request-Id')).toBe('from-proxy');
    expect(api.entries[0]?.requestId).toBe('from-proxy');
  });

  it('the access log entry of a fault has the id of the verification', async () => {
    const api = givenApi({
      storage: (storage) => ({
        ...storage,
        verifications: { ...storage.verifications, find: () => Promise.reject(new Error('x')) },
      }),
    });
    const { key } = await givenClient(api);
    const verificationId = '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602';
    await api.request(`/verifications/${verificationId}`, { key });
    expect(api.faults).toMatchObject([{ entry: { verificationId } }]);
  });
});
