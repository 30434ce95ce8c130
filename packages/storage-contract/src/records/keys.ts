import type { ApiKey } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { clientId, keyId, minute } from './ids.ts';

/** The `n`th hash: 64 hexadecimal characters. */
export const keyHash = (n: number): string => n.toString(16).padStart(64, '0');

/** A key of the first client, created in minute `n`, without expiry; every other one created by a user. */
export function aKey(n: number, given: Partial<ApiKey> = {}): ApiKey {
  return {
    id: keyId(n),
    clientId: clientId(1),
    name: `Key ${n}`,
    hash: keyHash(n),
    display: `csk_${n.toString(16).padStart(4, '0')}…${n.toString(16).padStart(4, '0')}`,
    permissions: ['verifications:create', 'verifications:read'],
    networks: n % 2 === 0 ? [] : ['203.0.113.0/24', '2001:db8::/32'],
    createdAt: minute(n),
    createdBy: n % 2 === 0 ? `staff-${n}` : null,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    noticedDays: null,
    ...given,
  };
}

/** Issues the `n`th key. */
export async function givenKey(storage: Storage, n: number, given: Partial<ApiKey> = {}): Promise<ApiKey> {
  const key = aKey(n, given);
  expect(await storage.apiKeys.issue(key), 'set-up of the case: apiKeys.issue').toEqual({ outcome: 'issued' });
  return key;
}

/** Issues keys `first` to `last`. */
export async function givenKeys(
  storage: Storage,
  [first, last]: readonly [number, number],
  given: Partial<ApiKey> = {},
): Promise<void> {
  for (let n = first; n <= last; n += 1) await givenKey(storage, n, given);
}
