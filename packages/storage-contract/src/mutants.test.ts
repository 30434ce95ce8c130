// Runs the suites of the kit on each broken adapter, and each suite must fail.
import {
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';
import { ALL_MUTANTS } from '../test-support/mutants/all-mutants.ts';
import { durabilityMutants, reopenableMemory } from '../test-support/mutants/durability.ts';
import { EVIDENCE_MUTANTS } from '../test-support/mutants/evidence.ts';
import { crashMutants, keyValueStoreMutants } from '../test-support/mutants/key-value-stores.ts';
import { proveSuites } from '../test-support/mutants/prove-suites.ts';
import { RATE_LIMIT_MUTANTS } from '../test-support/mutants/rate-limits.ts';
import { crashingStore } from '../test-support/stores.ts';
import { ALL_SUITES } from './all-suites.ts';
import { DURABILITY_SUITES } from './suites/durability.ts';
import { EVIDENCE_SUITES } from './suites/evidence.ts';
import { CRASH_SUITES, KEY_VALUE_STORE_SUITES } from './suites/key-value-store.ts';
import { RATE_LIMIT_SUITES } from './suites/rate-limits.ts';

proveSuites(ALL_SUITES, ALL_MUTANTS, createMemoryStorage, { isGenerated: true });
proveSuites(DURABILITY_SUITES, durabilityMutants, reopenableMemory);
proveSuites(EVIDENCE_SUITES, EVIDENCE_MUTANTS, createMemoryEvidenceStore);
proveSuites(KEY_VALUE_STORE_SUITES, keyValueStoreMutants, () => crashingStore().store);
proveSuites(CRASH_SUITES, crashMutants, crashingStore);
proveSuites(RATE_LIMIT_SUITES, RATE_LIMIT_MUTANTS, () => {
  const clock = createFixedClock();
  const limiter = createMemoryRateLimiter(clock);
  return { instance: () => limiter, now: clock.now, elapse: async (milliseconds) => clock.advance(milliseconds) };
});
