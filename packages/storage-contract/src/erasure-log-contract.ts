import { describeSuites } from './describe-suites.ts';
import { ERASURE_LOG_SUITES, type ErasureLogsUnderTest } from './suites/erasure-log.ts';

/**
 * Registers the contract of erasure logs with vitest. Call it in a test file of your log.
 *
 * @param name heading of the tests
 * @param create returns where instances of an empty log come from; `instance` gives another one, or the only one. It is called
 *   before each case.
 *
 * @example
 * // my-erasure-log.test.ts
 * import { createMemoryErasureLog } from '@countersign/memory';
 * import { erasureLogContract } from '@countersign/storage-contract';
 *
 * erasureLogContract('my erasure log', async () => {
 *   const log = createMemoryErasureLog();
 *   return { instance: () => log };
 * });
 */
export function erasureLogContract(name: string, create: () => Promise<ErasureLogsUnderTest>): void {
  describeSuites(name, ERASURE_LOG_SUITES, create, async () => undefined);
}
