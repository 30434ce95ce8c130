import { expect, it } from 'vitest';
import { givenApi, givenClient } from '../test-support/api.ts';
import { createRecentRequests } from './recent-requests.ts';

const NOW = new Date('2026-03-01T10:00:00Z');

function entry(clientId: string | undefined, requestId: string) {
  const keyId = clientId === undefined ? undefined : `key of ${clientId}`;
  const route = { method: 'GET', path: '/verifications/{id}', verificationId: 'v1', callerRequestId: 'mine' };
  return { ...route, clientId, keyId, requestId, status: 200, durationMs: 1.5, code: undefined };
}

it('keeps what a list may show of a request, and nothing else', () => {
  const { add, of } = createRecentRequests({ now: () => NOW });
  add({ ...entry('a', 'r1'), status: 404, code: 'VERIFICATION_NOT_FOUND' });
  expect(of('a')).toEqual([
    {
      answeredAt: NOW,
      requestId: 'r1',
      method: 'GET',
      route: '/verifications/{id}',
      status: 404,
      code: 'VERIFICATION_NOT_FOUND',
      durationMs: 1.5,
      keyId: 'key of a',
    },
  ]);
});

it('keeps the last requests of each client, newest first', () => {
  const { add, of } = createRecentRequests({ requestsPerClient: 3 });
  for (const id of ['1', '2', '3', '4', '5']) add(entry('a', id));
  add(entry('b', '6'));
  const idsOf = (clientId: string) => of(clientId).map(({ requestId }) => requestId);
  expect(idsOf('a')).toEqual(['5', '4', '3']);
  expect(idsOf('b')).toEqual(['6']);
  expect(idsOf('c')).toEqual([]);
});

it('keeps 100 requests of a client', () => {
  const { add, of } = createRecentRequests();
  for (let index = 1; index <= 250; index++) add(entry('a', String(index)));
  const ids = of('a').map(({ requestId }) => Number(requestId));
  expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => 250 - index));
});

it('forgets the client whose last request is oldest, above the number of clients', () => {
  const { add, of } = createRecentRequests({ clients: 2 });
  for (const clientId of ['a', 'b', 'a', 'c']) add(entry(clientId, clientId));
  expect(['a', 'b', 'c'].map((clientId) => of(clientId).length)).toEqual([2, 0, 1]);
});

it('keeps no request without a valid key', () => {
  const { add, of } = createRecentRequests();
  add(entry(undefined, 'r1'));
  expect(of('undefined')).toEqual([]);
});

it('holds no value of the query, the path or the body of a request', async () => {
  const api = givenApi();
  const { key, clientId } = await givenClient(api);
  await api.request('/verifications?subjectReference=secret-query', { key });
  await api.request('/verifications/secret-path', { key });
  await api.request('/secret-route', { key, method: 'PUT' });
  await api.post({ subjectType: 'kyc', subjectReference: 'secret-body' }, { key });
  const { add, of } = createRecentRequests();
  for (const logged of api.entries) add(logged);
  const shown = of(clientId);
  expect(shown.map(({ method, route, status, code }) => [method, route, status, code])).toEqual([
    ['POST', '/verifications', 201, null],
    ['PUT', '*', 404, 'NOT_FOUND'],
    ['GET', '/verifications/{id}', 404, 'VERIFICATION_NOT_FOUND'],
    ['GET', '/verifications', 200, null],
  ]);
  expect(JSON.stringify(shown)).not.toContain('secret');
});
