import { beforeEach, expect, it } from 'vitest';
import { erasing, PLACE, retained } from '../../test-support/erasures.ts';
import { portWith } from '../../test-support/port-with.ts';
import { NOW } from '../../test-support/verifications.ts';
import { createApplyErasureLog } from './apply-log.ts';
import type { ResumeErasure } from './erase-verification.ts';
import type { ErasureLog } from './erasure.ts';
import { DEFAULT_RETENTION_SETTINGS } from './retained-rules.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository } from './retention-repository.ts';

const FAULT = new Error('The disk is full');

let faults: unknown[];

beforeEach(() => {
  faults = [];
});

/**
 * A log with one entry, which has no receipt in the database.
 * @param found what the reads of its verification find, one after the other; the last one is found from then on
 */
function given(
  found: readonly (RetainedVerification | null)[],
  {
    resume = async () => 'erased',
    ...operations
  }: Partial<RetentionRepository> & { readonly resume?: ResumeErasure } = {},
) {
  const left = [...found];
  return createApplyErasureLog({
    retention: portWith<RetentionRepository>({
      lastErasure: async () => 0,
      withoutReceipt: async (numbers) => numbers,
      find: async () => (left.length > 1 ? left.shift() : left[0]) ?? null,
      ...operations,
    }),
    log: portWith<ErasureLog>({ head: async () => 1, read: async () => [{ number: 1, ...PLACE, at: NOW }] }),
    clock: { now: () => NOW },
    ids: { next: () => 'event-1' },
    secrets: { sha256: (text) => text },
    rulesOf: async () => DEFAULT_RETENTION_SETTINGS,
    removeData: () => Promise.reject(FAULT),
    resume,
    onFault: (fault) => void faults.push(fault),
  });
}

it('an entry whose erasure ended since the receipts were compared is applied, and nothing is written', async () => {
  expect(await given([erasing({ erasureNumber: 1 })])('all')).toMatchObject({ applied: 1, failed: 0 });
  expect(faults).toEqual([]);
});

it('an entry is applied by the fifth attempt if other calls went on with its erasure meanwhile', async () => {
  let attempts = 0;
  const resume: ResumeErasure = async () => {
    attempts += 1;
    return attempts === 5 ? 'erased' : 'changed';
  };
  expect(await given([erasing()], { resume })('all')).toMatchObject({ applied: 1, failed: 0 });
  expect([attempts, faults]).toEqual([5, []]);
});

it.each<[string, RetainedVerification | null]>([
  ['is gone', null],
  ['has not begun to be erased', retained()],
])('an entry that fails schedules nothing for a verification that %s', async (_which, afterwards) => {
  const applyLog = given([retained(), afterwards], { change: () => Promise.reject(FAULT) });
  expect(await applyLog('all')).toMatchObject({ applied: 0, failed: 1 });
  expect(faults).toEqual([FAULT]);
});

it('entries that were applied are not compared with the receipts again', async () => {
  const compared: (readonly number[])[] = [];
  const applyLog = given([erasing()], {
    withoutReceipt: async (numbers) => {
      compared.push(numbers);
      return numbers;
    },
  });
  for (const applied of [1, 0]) expect(await applyLog('expected')).toMatchObject({ applied, failed: 0 });
  expect(compared).toEqual([[1]]);
});
