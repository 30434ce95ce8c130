import {
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../test-support/mutants/durability.ts';
import { slowStorage } from '../test-support/mutants/slow-storage.ts';
import { crashingStore } from '../test-support/stores.ts';
import { ALL_SUITES } from './all-suites.ts';
import { evidenceStoreContract } from './evidence-contract.ts';
import { keyValueStoreContract } from './key-value-store-contract.ts';
import { rateLimiterContract } from './rate-limiter-contract.ts';
import { storageContract } from './storage-contract.ts';

storageContract(
  'memory storage',
  async () => {
    const data = createMemoryStorage();
    return { ...openMemory(data), data };
  },
  { reopen: async ({ data }) => openMemory(data) },
);

storageContract('a sound storage that takes its time', async () => slowStorage(createMemoryStorage()));

keyValueStoreContract(
  'a store on a sorted map',
  async () => {
    const { store, crash } = crashingStore();
    return { ...store, crash };
  },
  { crash: ({ crash }) => crash() },
);

evidenceStoreContract('memory evidence store', async () => createMemoryEvidenceStore());

rateLimiterContract('memory rate limiter', async () => {
  const clock = createFixedClock();
  const limiter = createMemoryRateLimiter(clock);
  return { instance: () => limiter, now: clock.now, elapse: async (milliseconds) => clock.advance(milliseconds) };
});

describe('the kit', () => {
  it('the kit has a name of its own for every suite and, within it, for every case', () => {
    const suites = ALL_SUITES;
    const names = suites.flatMap(({ name, cases }) => cases.map((each) => `${name}: ${each.name}`));

    expect(new Set(suites.map(({ name }) => name)).size).toBe(suites.length);
    expect(new Set(names).size).toBe(names.length);
  });
});
