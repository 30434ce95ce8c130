import {
  type Countersign,
  type CountersignPorts,
  type CountersignSettings,
  createCountersign,
  type NewApiKey,
  type Principal,
} from '@countersign/domain';
import type { NewClient } from '@countersign/domain/clients';
import type { Evidence } from '@countersign/domain/evidence';
import type { Storage } from '@countersign/domain/storage';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStaff,
  createMemoryStorage,
  createTrustingIntake,
  type FixedClock,
  type MemoryStaff,
} from '@countersign/memory';

/** The whole core in memory, with a fixed clock. */
export interface Service {
  readonly countersign: Countersign;
  readonly clock: FixedClock;
  readonly storage: Storage;
  readonly evidence: Evidence;
  readonly staff: MemoryStaff;
  /** Faults reported to `onFault`. */
  readonly faults: readonly unknown[];
}

export function givenService(
  ports: Partial<CountersignPorts> & { storage?: Storage } = {},
  settings: Partial<CountersignSettings> = {},
): Service {
  const clock = createFixedClock('2026-03-01T10:00:00.000Z');
  const storage = ports.storage ?? createMemoryStorage();
  const store = createMemoryEvidenceStore({ now: clock.now });
  const evidence = ports.evidence ?? { store, intake: createTrustingIntake() };
  const ids = createCountingIds();
  const staff = createMemoryStaff({ clock, ids });
  const faults: unknown[] = [];
  const countersign = createCountersign(
    {
      sealing: 'none',
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids,
      secrets: createCountingSecrets(),
      staff,
      recipients: staff,
      logos: createTrustingIntake(),
      onFault: (fault) => faults.push(fault),
      ...ports,
      storage,
      evidence,
    },
    { publicBaseUrl: 'https://verify.example', ...settings },
  );
  return { countersign, clock, storage, evidence, staff, faults };
}

/** Storage in memory. After `race(n)`, the next `n` reads of a verification wait for each other and see the same version. */
export function givenRacingStorage(): { readonly storage: Storage; readonly race: (readers: number) => void } {
  const storage = createMemoryStorage();
  const { verifications } = storage;
  let missing = 0;
  let all = Promise.withResolvers<void>();
  async function together<T>(read: Promise<T>): Promise<T> {
    const record = await read;
    if (missing === 0) return record;
    missing -= 1;
    if (missing === 0) all.resolve();
    await all.promise;
    return record;
  }
  const racing: typeof verifications = {
    ...verifications,
    find: (clientId, verificationId) => together(verifications.find(clientId, verificationId)),
    findForAnyClient: (verificationId) => together(verifications.findForAnyClient(verificationId)),
  };
  return {
    storage: { ...storage, verifications: racing },
    race(readers) {
      missing = readers;
      all = Promise.withResolvers();
    },
  };
}

/** Creates a client with a key, and authenticates the key. */
export async function givenClient(
  { countersign }: Pick<Service, 'countersign'>,
  { permissions = ['*'], plan = 'standard', ...options }: Partial<NewClient & NewApiKey> = {},
): Promise<{ clientId: string; keyId: string; value: string; principal: Principal }> {
  const { client } = await countersign.clients.create({ name: 'Acme', plan, monthlyLimit: options.monthlyLimit });
  const { expiresInDays } = options;
  const { key, value } = await countersign.apiKeys.issue(client.id, { permissions, expiresInDays });
  const principal = await countersign.authenticate(value, { countRequest: false });
  return { clientId: client.id, keyId: key.id, value, principal };
}

/** Creates a client and a key of its test twin, and authenticates the key. `clientId` is the twin's. */
export async function givenTestTwin({
  countersign,
}: Pick<Service, 'countersign'>): Promise<{ clientId: string; principal: Principal }> {
  const { test } = await countersign.clients.create({ name: 'Acme', plan: 'none' });
  const { value } = await countersign.apiKeys.issue(test.id, { permissions: ['*'] });
  return { clientId: test.id, principal: await countersign.authenticate(value, { countRequest: false }) };
}

/** Counts the outcomes of concurrent calls by error code, or `ok`. */
export async function outcomesOf(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(calls)) {
    const outcome = result.status === 'fulfilled' ? 'ok' : String((result.reason as { code?: string }).code);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
