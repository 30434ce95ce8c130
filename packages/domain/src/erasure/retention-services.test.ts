import { expect, it } from 'vitest';
import { PLACE, retained } from '../../test-support/erasures.ts';
import { portWith } from '../../test-support/port-with.ts';
import { NOW } from '../../test-support/verifications.ts';
import type { ErasureLog } from './erasure.ts';
import { DEFAULT_RETENTION_SETTINGS } from './retained-rules.ts';
import type { RetentionRepository } from './retention-repository.ts';
import { createRetentionServices } from './retention-services.ts';

type Ports = Parameters<typeof createRetentionServices>[0];

/** The job of a database with three receipts, and a verification that the log erased before a restore. */
function given(log: ErasureLog | undefined) {
  const retention = portWith<RetentionRepository>({
    erasureLogId: async () => 'log',
    setErasureLogId: async () => 'log',
    lastErasure: async () => 3,
    withoutReceipt: async (numbers) => numbers,
    find: async () => retained(),
    change: async () => ({ outcome: 'committed' }),
    storedTraces: async () => null,
  });
  const ports = portWith<Ports>({
    retention,
    log,
    clock: { now: () => NOW },
    ids: { next: () => 'event-1' },
    onFault: (fault) => expect.fail(String(fault)),
  });
  return createRetentionServices(ports, DEFAULT_RETENTION_SETTINGS).job;
}

const LOG = portWith<ErasureLog>({
  id: async () => 'log',
  head: async () => 1,
  read: async () => [{ number: 1, ...PLACE, at: NOW }],
});

it('the erasure log is applied to verifications whose erasure never began, and its missing entries are counted', async () => {
  const job = given(LOG);
  expect(await job.applyErasureLog()).toEqual({ applied: 1, failed: 0, missingInLog: 2, unexpected: [] });
  expect(await job.countMissingInLog()).toBe(2);
});

it('a service without an erasure log misses no entry, and applies none', async () => {
  const job = given(undefined);
  expect(await job.applyErasureLog()).toEqual({ applied: 0, failed: 0, missingInLog: 0, unexpected: [] });
  expect(await job.countMissingInLog()).toBe(0);
});
