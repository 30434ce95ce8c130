// Every case of the kit on three storages in memory: whole, slow and without parts.
import { type CoreStorage, PART_NAMES, type Storage } from '@countersign/domain/storage';
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
import { wrongParts } from './left-out.ts';
import { rateLimiterContract } from './rate-limiter-contract.ts';
import { storageContract } from './storage-contract.ts';
import { DURABILITY_SUITES } from './suites/durability.ts';

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

const coreOf = ({ clients, apiKeys, verifications, dataKeys, audit, ping, close }: Storage): CoreStorage => ({
  clients,
  apiKeys,
  verifications,
  dataKeys,
  audit,
  ping,
  close,
});

const coreOnly = storageContract(
  'a storage without parts',
  async () => {
    const data = createMemoryStorage();
    return { ...coreOf(openMemory(data)), data };
  },
  { without: PART_NAMES, reopen: async ({ data }) => coreOf(openMemory(data)) },
);

evidenceStoreContract('memory evidence store', async () => createMemoryEvidenceStore());

rateLimiterContract('memory rate limiter', async () => {
  const clock = createFixedClock();
  const limiter = createMemoryRateLimiter(clock);
  return { instance: () => limiter, now: clock.now, elapse: async (milliseconds) => clock.advance(milliseconds) };
});

describe('the kit', () => {
  it('the kit counts the cases that it skips without parts, and runs most cases of the core', () => {
    const cases = [...ALL_SUITES, ...DURABILITY_SUITES].flatMap<unknown>((suite) => suite.cases).length;
    expect(coreOnly.ran + coreOnly.skipped).toBe(cases);
    expect(coreOnly.ran).toBeGreaterThan(250);
    expect(coreOnly.skipped).toBeGreaterThan(250);
  });

  it('the kit names a left-out part that the storage has, and a part that the storage lacks', () => {
    const { counters: _, ...storage } = createMemoryStorage();
    expect(wrongParts(storage, ['webhooks'])).toEqual([
      'has the part webhooks, which is left out',
      'lacks the part counters',
    ]);
    expect(wrongParts(storage, ['counters'])).toEqual([]);
  });

  it('the kit has a name of its own for every suite and, within it, for every case', () => {
    const suites = ALL_SUITES;
    const names = suites.flatMap(({ name, cases }) => cases.map((each) => `${name}: ${each.name}`));

    expect(new Set(suites.map(({ name }) => name)).size).toBe(suites.length);
    expect(new Set(names).size).toBe(names.length);
  });
});
