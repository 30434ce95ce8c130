import { createMemoryErasureLog } from '@countersign/memory';
import { ERASURE_LOG_MUTANTS } from '../test-support/mutants/erasure-log.ts';
import { proveSuites } from '../test-support/mutants/prove-suites.ts';
import { erasureLogContract } from './erasure-log-contract.ts';
import { ERASURE_LOG_SUITES } from './suites/erasure-log.ts';

function given() {
  const log = createMemoryErasureLog();
  return { instance: () => log };
}

erasureLogContract('memory erasure log', async () => given());
proveSuites(ERASURE_LOG_SUITES, ERASURE_LOG_MUTANTS, given);
