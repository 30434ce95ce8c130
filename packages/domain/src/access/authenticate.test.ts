import { describe, expect, it } from 'vitest';
import type { ApiKey } from './api-key.ts';
import type { ApiKeyRepository } from './api-key-repository.ts';
import { createAuthenticate } from './authenticate.ts';

const START = new Date('2026-03-01T10:00:00.000Z').getTime();
const MINUTE = 60_000;

type Use = Parameters<ApiKeyRepository['recordUse']>[0];

/** Keys whose hash is their value; each value is the key's id in hexadecimal. */
function givenKeys({ lastUsedAt = null }: { lastUsedAt?: Date | null } = {}) {
  const written: Use[] = [];
  const faults: unknown[] = [];
  let now = START;
  let fails = false;
  const notUsed = () => Promise.reject(new Error('not used'));
  const keyOf = (id: string): ApiKey => ({
    id,
    clientId: 'client-1',
    name: '',
    display: '',
    hash: id,
    permissions: ['*'],
    networks: [],
    createdBy: null,
    createdAt: new Date(START),
    expiresAt: null,
    revokedAt: null,
    noticedDays: null,
    lastUsedAt,
  });
  const authenticate = createAuthenticate({
    apiKeys: {
      resolve: async (hash) => ({ key: keyOf(hash), subscription: null, testOf: null, linkDays: null }),
      async recordUse(use) {
        if (fails) throw new Error('storage is down');
        written.push(use);
      },
      issue: notUsed,
      issueFirst: notUsed,
      list: notUsed,
      revoke: notUsed,
    },
    clock: { now: () => new Date(now) },
    secrets: {
      sha256: (text) => text,
      randomHex: () => '',
      randomBase64: () => '',
      sign: () => '',
      verify: () => false,
      label: () => '',
    },
    count: async () => ({ allowed: true, limit: 100, remaining: 99, resetAt: new Date(now) }),
    recordRefusal: async () => undefined,
    onFault: (fault) => faults.push(fault),
  });
  return {
    written,
    faults,
    fail: (is: boolean) => {
      fails = is;
    },
    async use(id: number, { after = 0 } = {}) {
      now = START + after;
      await authenticate(`csk_${id.toString(16).padStart(64, '0')}`);
      // The write is not part of the request.
      await Promise.resolve();
    },
  };
}

describe('the last use of an API key', () => {
  it('the last use of an API key is written with the first request, unless another instance wrote it in the last five minutes', async () => {
    const keys = givenKeys();
    await keys.use(1);
    expect(keys.written).toEqual([
      {
        clientId: 'client-1',
        keyId: expect.any(String) as string,
        at: new Date(START),
        unlessSince: new Date(START - 5 * MINUTE),
      },
    ]);
  });

  it('the last use of an API key is not written again for five minutes, although the stored key does not show it', async () => {
    const keys = givenKeys();
    await keys.use(1);
    await keys.use(1, { after: 5 * MINUTE - 1 });
    expect(keys.written).toHaveLength(1);
    await keys.use(1, { after: 5 * MINUTE });
    expect(keys.written).toHaveLength(2);
  });

  it('the last use of an API key is not written when the stored one is younger than five minutes', async () => {
    const keys = givenKeys({ lastUsedAt: new Date(START - 5 * MINUTE + 1) });
    await keys.use(1);
    expect(keys.written).toEqual([]);
  });

  it('the last use of an API key is tried again a minute after a failed write, not with each request', async () => {
    const keys = givenKeys();
    keys.fail(true);
    await keys.use(1);
    expect(keys.faults).toHaveLength(1);
    keys.fail(false);
    await keys.use(1, { after: MINUTE - 1 });
    expect(keys.written).toEqual([]);
    await keys.use(1, { after: MINUTE });
    expect(keys.written).toHaveLength(1);
  });

  it('the last use of an API key is remembered for 10,000 keys; one more key clears the memory', async () => {
    const keys = givenKeys();
    for (let id = 1; id <= 10_000; id++) await keys.use(id);
    await keys.use(1);
    expect(keys.written).toHaveLength(10_000);
    await keys.use(10_001);
    await keys.use(1);
    expect(keys.written).toHaveLength(10_002);
    await keys.use(10_001);
    expect(keys.written).toHaveLength(10_002);
  });
});
