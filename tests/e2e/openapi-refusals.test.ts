import {
  type Answer,
  type ApiClient,
  createApiClient,
  dataOf,
  expectRefusal,
  idOf,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { type DocumentedApi, readStrictDocument } from '@countersign/test-support/api/documented-api';
import { givenApi } from '@countersign/test-support/installation/customer';
import { change } from '@countersign/test-support/installation/database-file';
import { givenKey } from '@countersign/test-support/installation/operator';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;
let api: DocumentedApi;

beforeAll(async () => {
  server = await startServer({ env: { ENTERPRISE_REQUESTS_PER_MINUTE: '1' } });
  api = await readStrictDocument(server);
});

const VERIFICATIONS = {
  post: { method: 'post', path: '/verifications' },
  get: { method: 'get', path: '/verifications' },
};
const WITHDRAW = { method: 'post', path: '/verifications/{id}/withdraw' };
const RELATIONSHIP_END = { method: 'put', path: '/verifications/{id}/relationship-end' };
const ERASE = { method: 'delete', path: '/verifications/{id}/data' };
const FILE = { method: 'get', path: '/verifications/{id}/files/{fileId}' };
const EXPORT = { method: 'get', path: '/verifications/{id}/export' };
const byId = (suffix = '') => ({ method: 'get', path: `/verifications/{id}${suffix}` });

describe('the OpenAPI document describes', () => {
  const keyed = [
    VERIFICATIONS.post,
    VERIFICATIONS.get,
    byId(),
    byId('/details'),
    WITHDRAW,
    RELATIONSHIP_END,
    ERASE,
    FILE,
    EXPORT,
  ];

  function expectDocumented(
    operation: { method: string; path: string },
    answer: Answer,
    status: number,
    code: string,
  ): void {
    expectRefusal(answer, status, code);
    expect(api.problemsOfAnswer(operation, answer)).toEqual([]);
  }
  const ask = (
    client: ApiClient,
    { method, path }: { method: string; path: string },
    { query = '', id = 'unknown' } = {},
  ) =>
    client.request(path.replace('{id}', id).replace('{fileId}', 'unknown') + query, {
      method: method.toUpperCase(),
      ...(method === 'post' && path === VERIFICATIONS.post.path
        ? { body: JSON.stringify(newSubject('user_1')), headers: { 'Content-Type': 'application/json' } }
        : {}),
    });

  it('errors of key, permission, rate limit and query at each operation', async () => {
    const given = await givenApi(server);
    const { api: client } = given;
    const limited = (await givenApi(server, { plan: 'enterprise' })).api;
    await limited.get();
    for (const operation of keyed) {
      const wrong =
        operation.method === 'get' || operation === ERASE ? 'verifications:create' : 'verifications:read';
      const unpermitted = createApiClient(server.baseUrl, await givenKey(server, given.clientId, wrong));
      expectDocumented(operation, await ask(createApiClient(server.baseUrl), operation), 401, 'API_KEY_REQUIRED');
      expectDocumented(
        operation,
        await ask(createApiClient(server.baseUrl, 'none'), operation),
        401,
        'INVALID_API_KEY',
      );
      expectDocumented(operation, await ask(unpermitted, operation), 403, 'INSUFFICIENT_PERMISSIONS');
      expectDocumented(operation, await ask(limited, operation), 429, 'RATE_LIMIT_EXCEEDED');
      expectDocumented(operation, await ask(client, operation, { query: '?x=1' }), 400, 'INVALID_PARAMETERS');
    }
  });

  it('the errors of POST /verifications', async () => {
    const client = (await givenApi(server, { monthlyLimit: 1 })).api;
    const without = (await givenApi(server, { plan: 'none' })).api;
    const once = { 'Idempotency-Key': 'order-1' };
    await client.post(newSubject('user_1'), once);
    const replay = await client.post(newSubject('user_1'), once);
    expect(replay.status).toBe(201);
    expect(api.problemsOfAnswer(VERIFICATIONS.post, replay)).toEqual([]);

    const refusals: [Answer, number, string][] = [
      [await client.post('{'), 400, 'INVALID_JSON'],
      [await client.post({}), 400, 'INVALID_SUBJECT_TYPE'],
      [await client.post({ subjectType: 'kyc' }), 400, 'MISSING_SUBJECT_REFERENCE'],
      [await client.post({ ...newSubject('user_2'), metadata: [] }), 400, 'INVALID_PARAMETERS'],
      [await without.post(newSubject('user_1')), 403, 'NO_ACTIVE_SUBSCRIPTION'],
      [await client.post(newSubject('user_2')), 403, 'LIMIT_EXCEEDED'],
      [await client.post(newSubject('user_1')), 409, 'DUPLICATE_SUBJECT_REFERENCE'],
      [await client.post(' '.repeat(70_000)), 413, 'PAYLOAD_TOO_LARGE'],
      [await client.post('{}', { 'Content-Type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [await client.post(newSubject('user_2'), once), 422, 'IDEMPOTENCY_KEY_REUSED'],
    ];
    for (const [answer, status, code] of refusals) expectDocumented(VERIFICATIONS.post, answer, status, code);
  });

  it('the errors of POST /verifications/{id}/withdraw', async () => {
    const given = await givenApi(server);
    const { api: client } = given;
    const id = idOf(await client.post(newSubject('user_1')));
    const path = `/verifications/${id}/withdraw`;
    const send = (body: string, type = 'application/json'): Promise<Answer> =>
      client.request(path, { method: 'POST', body, headers: { 'Content-Type': type } });
    const refusals: [Answer, number, string][] = [
      [await send('{'), 400, 'INVALID_JSON'],
      [await send('{"reason":"mistake"}'), 400, 'INVALID_PARAMETERS'],
      [await ask(client, WITHDRAW), 404, 'VERIFICATION_NOT_FOUND'],
      [await send(' '.repeat(70_000)), 413, 'PAYLOAD_TOO_LARGE'],
      [await send('{}', 'text/plain'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ];
    for (const [answer, status, code] of refusals) expectDocumented(WITHDRAW, answer, status, code);

    for (const time of ['first', 'second']) {
      const withdrawn = await send('{}');
      expect([time, withdrawn.status, dataOf(withdrawn).status]).toEqual([time, 200, 'rejected']);
      expect(api.problemsOfAnswer(WITHDRAW, withdrawn)).toEqual([]);
    }
  });

  it('404 for an unknown id; 500 for damaged data, whose cause is logged, and dataError in the list', async () => {
    const given = await givenApi(server);
    const { api: client } = given;
    const id = idOf(await client.post(newSubject('user_1')));
    change(server.databaseFile, `UPDATE verifications SET metadata = 'not JSON' WHERE id = ?`, id);
    for (const operation of [byId(), byId('/details')]) {
      expectDocumented(operation, await ask(client, operation), 404, 'VERIFICATION_NOT_FOUND');
      const failed = await ask(client, operation, { id });
      expectDocumented(operation, failed, 500, 'INTERNAL_ERROR');
      const logged = new RegExp(`^.*"level":"error".*${failed.headers.get('x-request-id')}.*$`, 'm');
      expect((await server.says(logged))[0]).toContain('"stack":"at ');
    }

    const list = await client.get();
    expect(dataOf(list).verifications).toMatchObject([{ id, submittedData: {}, dataError: 'UNREADABLE' }]);
    expect(api.problemsOfAnswer(VERIFICATIONS.get, list)).toEqual([]);
  });

  it('404 for an unknown path and 405 for a method, as components', async () => {
    const client = (await givenApi(server)).api;
    const notFound = await client.get('/nothing');
    const notAllowed = await client.request('/verifications', { method: 'DELETE' });
    expectRefusal(notFound, 404, 'NOT_FOUND');
    expectRefusal(notAllowed, 405, 'METHOD_NOT_ALLOWED');
    expect(api.problemsOfResponse('NotFound', notFound)).toEqual([]);
    expect(api.problemsOfResponse('MethodNotAllowed', notAllowed)).toEqual([]);
  });
});
