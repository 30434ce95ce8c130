import type { Countersign } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { createApi } from '@countersign/http';
import { createMemoryStorage } from '@countersign/memory';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createKeyRing, rotateDataKeys } from '@countersign/sealing';
import { answerStep } from '@countersign/test-support/service/answers';
import { reviewAs } from '@countersign/test-support/service/operations';
import { beforeEach, expect, test } from 'vitest';
import { createLog, type Log } from '../logging/log.ts';
import { createCore } from './core.ts';
import { sealingWith } from './sealing.ts';

const CANARY = 'Quisling-Undergrove';
const LOST = Buffer.alloc(32, 1);
const KEPT = Buffer.alloc(32, 2);

let opened: Storage;
let logged: string;
let log: Log;
beforeEach(() => {
  opened = createMemoryStorage();
  logged = '';
  log = createLog({ level: 'info', output: { write: (text) => (logged += text) } });
});

/** Opens the service as a server does, on the shared database. */
function openService(...secretKeys: Buffer[]): Countersign {
  const rateLimiter = createMemoryRateLimiter();
  const settings = { publicBaseUrl: 'https://verify.example' };
  return createCore({
    storage: opened,
    sealing: sealingWith(secretKeys),
    rateLimiter,
    secretKeys,
    settings,
    onFault: (fault) => log.fault(fault),
  }).countersign;
}

async function givenNamed(service: Countersign, key: string, subjectReference: string): Promise<string> {
  const { verification } = await service.verifications.create(await service.authenticate(key), {
    subjectType: 'kyc',
    subjectReference,
  });
  const { access } = await service.subject.open(verification.verificationUrl.split('/').at(-1) ?? '');
  await answerStep(service, access, 'consent');
  await answerStep(service, access, 'document');
  await service.subject.completeStep(access, 'person', {
    firstName: 'Philippa',
    lastName: CANARY,
    dateOfBirth: '1990-02-28',
    placeOfBirth: { city: 'Bath', country: 'GB' },
    nationalities: ['GB'],
  });
  return verification.id;
}

/** Creates one verification whose secret is lost, and a readable one. */
async function givenUnreadable(): Promise<{ service: Countersign; key: string; lost: string; kept: string }> {
  const before = openService(LOST);
  const { client } = await before.clients.create({ name: 'Acme', plan: 'standard' });
  const { value: key } = await before.apiKeys.issue(client.id, { permissions: ['*'] });
  const lost = await givenNamed(before, key, 'user_1');
  const kept = await givenNamed(openService(KEPT), key, 'user_2');
  return { service: openService(KEPT), key, lost, kept };
}

function lastFault(): Record<string, unknown> {
  log.flush();
  const lines = logged.trimEnd().split('\n');
  return JSON.parse(lines.filter((line) => line.includes('"msg":"fault"')).at(-1) ?? '{}') as Record<
    string,
    unknown
  >;
}

// One unreadable verification once made the whole queue answer 500, and the operator could not see which one.
test('an unreadable verification stays in the queue, and only opening it is a fault', async () => {
  const { service, lost, kept } = await givenUnreadable();

  const { items, total } = await reviewAs(service).queue({ status: 'pending' });
  expect(items.map(({ id }) => id).sort()).toEqual([lost, kept].sort());
  expect(total.count).toBe(2);

  await expect(reviewAs(service).open(kept)).resolves.toMatchObject({ verification: { id: kept } });
  await expect(reviewAs(service).open(lost)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause: { code: 'UNKNOWN_KEY', verificationId: lost },
  });
});

test('a verification without its secret stays in a client’s list as UNAVAILABLE, and the log has its id without its data', async () => {
  const { service, key, lost, kept } = await givenUnreadable();
  const api = createApi(service, {
    newRequestId: () => 'request-1',
    clientAddress: () => '192.0.2.1',
    onFault: (fault, entry) => log.fault(fault, entry),
  });
  const get = (path: string) => api.request(path, { headers: { 'X-API-Key': key } });

  const response = await get('/verifications');

  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { verifications: Record<string, unknown>[] } };
  const { verifications } = data;
  expect(verifications.map(({ id }) => id).toSorted()).toEqual([lost, kept].toSorted());
  expect(verifications.find(({ id }) => id === lost)).toMatchObject({
    subjectReference: 'user_1',
    submittedData: {},
    dataError: 'UNAVAILABLE',
  });
  expect(verifications.find(({ id }) => id === kept)).not.toHaveProperty('dataError');
  expect(lastFault()).toMatchObject({
    error: {
      type: 'CountersignError',
      code: 'SERVICE_UNAVAILABLE',
      cause: { type: 'SealingError', code: 'UNKNOWN_KEY', verificationId: lost },
    },
  });
  const single = await get(`/verifications/${lost}`);
  expect(single.status).toBe(503);
  expect(single.headers.get('Retry-After')).toBe('5');
  expect(logged).not.toContain(CANARY);
  expect((await get(`/verifications/${kept}`)).status).toBe(200);
  expect((await get('/verifications?subjectReference=user_2')).status).toBe(200);
});

// After a rotation, a server that was not restarted answered 500 and its log did not say why.
test('after a rotation, a server without the new secret answers 503 and logs UNKNOWN_KEY', async () => {
  const old = openService(LOST);
  const { client } = await old.clients.create({ name: 'Acme', plan: 'standard' });
  const { value: key } = await old.apiKeys.issue(client.id, { permissions: ['*'] });
  const id = await givenNamed(old, key, 'user_1');
  const api = createApi(old, {
    newRequestId: () => 'request-1',
    clientAddress: () => '192.0.2.1',
    onFault: (fault, entry) => log.fault(fault, entry),
  });
  const details = () => api.request(`/verifications/${id}/details`, { headers: { 'X-API-Key': key } });
  expect((await details()).status).toBe(200);

  await rotateDataKeys({ dataKeys: opened.dataKeys, keys: createKeyRing([KEPT, LOST]) });

  const response = await details();
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ success: false, code: 'SERVICE_UNAVAILABLE' });
  expect(lastFault()).toMatchObject({
    path: '/verifications/{id}/details',
    error: {
      code: 'SERVICE_UNAVAILABLE',
      cause: { type: 'SealingError', code: 'UNKNOWN_KEY', verificationId: id },
    },
  });
  await expect(
    openService(KEPT, LOST).verifications.details(await old.authenticate(key), id),
  ).resolves.toMatchObject({ id });
});
