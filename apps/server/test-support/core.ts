import { type Countersign, createCountersign, type VerificationView } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';

export const PUBLIC_BASE_URL = 'https://verify.example';

/** Runs work in a core as a server on the same data has it, and closes the storage. */
export async function inCore<T>(
  storage: Storage & { close(): Promise<void> },
  secret: Uint8Array,
  work: (core: Countersign) => Promise<T>,
): Promise<T> {
  const ports = {
    storage,
    sealing: 'none' as const,
    rateLimiter: createMemoryRateLimiter(),
    clock: createSystemClock(),
    ids: createUuidIds(),
    secrets: createNodeSecrets([secret]),
  };
  try {
    return await work(createCountersign(ports, { publicBaseUrl: PUBLIC_BASE_URL }));
  } finally {
    await storage.close();
  }
}

/** Creates a verification by a new key of the client. */
export async function createIn(
  core: Countersign,
  clientId: string,
): Promise<Pick<VerificationView, 'id' | 'status' | 'verificationUrl'>> {
  const { value } = await core.apiKeys.issue(clientId, { permissions: ['*'] });
  const principal = await core.authenticate(value);
  const input = { subjectType: 'kyc', subjectReference: 'user_1' };
  return (await core.verifications.create(principal, input)).verification;
}
