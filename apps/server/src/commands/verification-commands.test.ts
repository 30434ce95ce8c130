import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createCountersign } from '@countersign/domain';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newOperator, type Operator } from '../../test-support/operator.ts';

const SECRET = randomBytes(32);
const environment = {
  PUBLIC_BASE_URL: 'https://verify.example',
  SECRET_KEYS: SECRET.toString('base64'),
};

let operator: Operator;
beforeEach(() => {
  operator = newOperator(environment);
});
afterEach(() => operator.close());

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly verificationUrl: string;
}

/** Creates a verification as a server on the same data would. */
async function givenVerification(): Promise<Shown> {
  const { id: clientId } = await operator.newClient();
  return inCore(async (core) => {
    const { value } = await core.apiKeys.issue(clientId, { permissions: ['*'] });
    const principal = await core.authenticate(value);
    const input = { subjectType: 'kyc', subjectReference: 'user_1' };
    return (await core.verifications.create(principal, input)).verification;
  });
}

async function inCore<T>(work: (core: ReturnType<typeof createCountersign>) => Promise<T>): Promise<T> {
  const storage = await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') });
  const ports = {
    storage,
    sealing: 'none' as const,
    rateLimiter: createMemoryRateLimiter(),
    clock: createSystemClock(),
    ids: createUuidIds(),
    secrets: createNodeSecrets([SECRET]),
  };
  try {
    return await work(createCountersign(ports, { publicBaseUrl: environment.PUBLIC_BASE_URL }));
  } finally {
    await storage.close();
  }
}

const opens = (url: string) => inCore((core) => core.subject.open(url.split('/').at(-1) ?? ''));

describe('verification renew-link', () => {
  it('prints a new link and invalidates the previous one', async () => {
    const { id, verificationUrl } = await givenVerification();

    const renewed = await operator.json<Shown>('verification', 'renew-link', id);

    expect(renewed).toMatchObject({ id, status: 'pending' });
    expect(renewed.verificationUrl).toMatch(/^https:\/\/verify\.example\/verify\//);
    expect(renewed.verificationUrl).not.toBe(verificationUrl);
    expect((await opens(renewed.verificationUrl)).access.verificationId).toBe(id);
    await expect(opens(verificationUrl)).rejects.toMatchObject({ code: 'LINK_INVALID' });
    expect((await operator.run('verification', 'renew-link', id)).out).toMatch(/^https:\S+\n$/);
  });
});

describe('verification withdraw', () => {
  it('rejects the verification, and refuses to run again', async () => {
    const { id } = await givenVerification();

    const withdrawn = await operator.json<Shown>('verification', 'withdraw', id);

    expect(withdrawn).toMatchObject({ id, status: 'rejected', resolvedAt: expect.any(String) });
    const again = await operator.run('verification', 'withdraw', id);
    expect(again).toMatchObject({
      out: '',
      err: 'countersign: This is not possible while the verification is rejected. Read the verification again. (ILLEGAL_TRANSITION)\n',
    });
    expect(again.exitCode).not.toBe(0);
    expect((await operator.run('verification', 'renew-link', id)).exitCode).not.toBe(0);
  });
});

it('verification withdraw: refuses an unknown verification, and refuses to run without SECRET_KEYS', async () => {
  const { id } = await givenVerification();
  const unknown = await operator.run('verification', 'withdraw', 'unknown');
  expect(unknown).toMatchObject({
    out: '',
    err: 'countersign: Verification not found. Check its id. (VERIFICATION_NOT_FOUND)\n',
  });
  expect(unknown.exitCode).not.toBe(0);

  const stranger = newOperator({
    PUBLIC_BASE_URL: 'https://verify.example',
    DATABASE_URL: `file:${join(operator.dataDir, 'countersign.db')}`,
  });
  const refused = await stranger.run('verification', 'withdraw', id);
  stranger.close();
  expect(refused.err).toMatch(/^countersign: SECRET_KEYS is not set, [^\n]+\n$/);
  expect(await operator.json<Shown>('verification', 'withdraw', id)).toMatchObject({ status: 'rejected' });
});
