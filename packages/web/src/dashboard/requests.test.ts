import type { ApiRequest } from '@countersign/domain';
import { beforeEach, expect, it } from 'vitest';
import { CLARA } from '../../test-support/console.ts';
import { ANDY, FRED, type GivenDashboard, givenDashboard, VERA } from '../../test-support/dashboard.ts';

let given: GivenDashboard;
/** Requests by client, newest first. */
let kept: Map<string, ApiRequest[]>;

beforeEach(async () => {
  kept = new Map();
  given = await givenDashboard({}, {}, { recentRequests: { of: (clientId) => kept.get(clientId) ?? [] } });
});

async function request(values: Partial<ApiRequest> = {}): Promise<ApiRequest> {
  const [key] = await given.countersign.apiKeys.list(given.clientId);
  return {
    answeredAt: new Date('2026-03-01T10:00:00Z'),
    requestId: 'request-1',
    method: 'GET',
    route: '/verifications/{id}',
    status: 404,
    code: 'VERIFICATION_NOT_FOUND',
    durationMs: 1.2,
    keyId: key?.id ?? '',
    ...values,
  };
}

it('shows each request with its answer, time and key, newest first', async () => {
  const [key] = await given.countersign.apiKeys.list(given.clientId);
  kept.set(given.clientId, [
    await request(),
    await request({ method: 'POST', route: '/verifications', status: 201, code: null, requestId: 'request-0' }),
  ]);
  const { status, words } = await given.open('/dashboard/requests');
  expect(status).toBe(200);
  const name = key?.name === '' ? key.display : key?.name;
  expect(words).toMatch(
    new RegExp(
      `GET /verifications/\\{id\\} 404 VERIFICATION_NOT_FOUND 1 min ago 2 ms ${name} request-1 .*POST /verifications 201`,
    ),
  );
  expect(words).toContain('empty after a restart');
  expect(words).toContain('each of several servers has its own list');
});

it('shows no request of another client', async () => {
  kept.set(given.foreign.clientId, [await request({ keyId: given.foreign.keyId, requestId: 'foreign-1' })]);
  const own = await given.open('/dashboard/requests');
  expect(own.words).toContain('Since it started, this server has answered no requests with your keys.');
  expect(own.text).not.toContain('foreign-1');
  expect((await given.open('/dashboard/requests', FRED)).text).toContain('foreign-1');
});

it('is for users who manage keys, and only refusals are recorded', async () => {
  const before = (await given.audit()).length;
  expect((await given.open('/dashboard/requests', CLARA)).status).toBe(200);
  expect(await given.audit()).toHaveLength(before);
  for (const who of [ANDY, VERA]) {
    expect((await given.open('/dashboard/requests', who)).status).toBe(403);
    expect(await given.lastLine()).toMatchObject({
      actor: { id: who },
      outcome: 'refused',
      detail: { path: '/dashboard/requests' },
    });
  }
});

it('speaks German', async () => {
  const Cookie = `${given.accounts.signedIn(CLARA)}; language=de`;
  expect((await given.get('/dashboard/requests', CLARA, { Cookie })).words).toContain('API-Anfragen');
});
