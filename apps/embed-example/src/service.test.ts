import { isCountersignError } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';
import { expect, onTestFinished, test } from 'vitest';
import { createService, type Service } from './service.ts';

/** Serves our service from memory, with a client and a reviewer. */
async function givenService(): Promise<
  Service & {
    readonly origin: string;
    readonly key: string;
    readonly storage: Storage;
    readonly faults: unknown[];
  }
> {
  const clock = createFixedClock();
  const storage = createMemoryStorage();
  const faults: unknown[] = [];
  const service = createService({
    storage,
    sealing: 'none',
    rateLimiter: createMemoryRateLimiter(clock),
    clock,
    ids: createCountingIds(),
    secrets: createCountingSecrets(),
    publicBaseUrl: 'http://127.0.0.1',
    onFault: (fault) => faults.push(fault),
  });
  const origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => service.app.close());
  const { countersign, signIn } = service;
  const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
  const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
  const rita = { id: 'rita', email: 'rita@example.org', name: 'Rita', role: 'reviewer' } as const;
  await signIn.addUser({ ...rita, clientId: null, teamRole: null }, 'correct horse battery');
  return { ...service, origin, key, storage, faults };
}

const create = (origin: string, key: string, subjectReference: string) =>
  fetch(`${origin}/api/v1/verifications`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ subjectType: 'kyc', subjectReference }),
  });

const post = (url: string, fields: Record<string, string>, Cookie = '') =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers: { Cookie }, redirect: 'manual' });

test('the API creates a verification once for each subject', async () => {
  const { origin, key } = await givenService();

  const [first, second] = [await create(origin, key, 'user_1'), await create(origin, key, 'user_1')];

  expect([first.status, second.status]).toEqual([201, 409]);
  expect(await first.json()).toMatchObject({ data: { status: 'pending', subjectReference: 'user_1' } });
});

test('a request that a fault prevents gets 503, and the fault is reported', async () => {
  const { origin, key, countersign, storage, faults } = await givenService();
  const principal = await countersign.authenticate(key);
  const { verification } = await countersign.verifications.create(principal, {
    subjectType: 'kyc',
    subjectReference: 'user_1',
  });
  await storage.close();

  const api = await create(origin, key, 'user_2');
  const page = await fetch(`${origin}${new URL(verification.verificationUrl).pathname}`, { redirect: 'manual' });

  expect([api.status, page.status]).toEqual([503, 503]);
  expect(faults.filter((fault) => isCountersignError(fault, 'SERVICE_UNAVAILABLE'))).toHaveLength(2);
});

test('our own pages and the pages of a subject are served side by side', async () => {
  const { origin, key, countersign } = await givenService();
  const principal = await countersign.authenticate(key);
  const { verification } = await countersign.verifications.create(principal, {
    subjectType: 'kyc',
    subjectReference: 'user_1',
  });

  const own = await fetch(`${origin}/`);
  const link = await fetch(`${origin}${new URL(verification.verificationUrl).pathname}`, { redirect: 'manual' });

  expect([await own.text(), link.status]).toEqual(['Our own service', 303]);
});

test('a reviewer signs in with our sign-in, and is anonymous again after signing out', async () => {
  const { origin } = await givenService();
  const review = (Cookie = '') => fetch(`${origin}/review`, { headers: { Cookie }, redirect: 'manual' });

  const anonymous = await review();
  expect([anonymous.status, anonymous.headers.get('location')]).toEqual([303, '/login?returnTo=%2Freview']);

  const wrong = await post(`${origin}/login`, { email: 'rita@example.org', password: 'wrong' });
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);

  const right = { email: 'rita@example.org', password: 'correct horse battery' };
  const signedIn = await post(`${origin}/login?returnTo=%2Freview`, right);
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/review']);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect((await review(cookie)).status).toBe(200);

  await post(`${origin}/logout`, {}, cookie);
  expect((await review(cookie)).status).toBe(303);
});

test('sign-in redirects inside the service only', async () => {
  const { origin } = await givenService();
  const right = { email: 'rita@example.org', password: 'correct horse battery' };

  for (const returnTo of ['https://evil.example', '//evil.example', '/\\evil.example']) {
    const signedIn = await post(`${origin}/login?returnTo=${encodeURIComponent(returnTo)}`, right);
    expect(signedIn.headers.get('location')).toBe('/review');
  }
});
