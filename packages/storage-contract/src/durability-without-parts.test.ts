import {
  type CoreStorage,
  PART_NAMES,
  type PortName,
  type SomeParts,
  type StoragePart,
} from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../test-support/mutants/durability.ts';
import { createLeftOut } from './left-out.ts';
import { durabilitySuite } from './suites/durability.ts';

/** Returns the names of the cases that fail, and are not skipped, for a storage that lacks parts and forgets a port when it is closed. */
async function failures(without: readonly StoragePart[], forgotten: PortName): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of durabilitySuite.cases) {
    const data = createMemoryStorage();
    const { leave, missed } = createLeftOut(without);
    const present = (storage: CoreStorage & SomeParts): CoreStorage & SomeParts => ({
      ...storage,
      ...Object.fromEntries(without.map((part) => [part, undefined])),
    });
    const empty = createMemoryStorage();
    const reopen = async () => leave(present({ ...openMemory(data), [forgotten]: empty[forgotten] }));
    const isPassed = await run({ storage: leave(present(openMemory(data))), reopen }).then(
      () => true,
      () => false,
    );
    if (!isPassed && missed().length === 0) failed.push(name);
  }
  return failed;
}

/** `counters` keeps nothing of its own. */
const KEEPING = PART_NAMES.filter((part) => part !== 'counters');

describe('durability without parts', () => {
  it.for(['dataKeys', 'audit'] as const)('a storage without any part that forgets %s fails', async (forgotten) => {
    expect(await failures(PART_NAMES, forgotten)).toEqual([
      'reopen: data keys, counts and the audit log are there',
    ]);
  });

  it.for(KEEPING)('a storage with one part that forgets %s fails', async (forgotten) => {
    const others = PART_NAMES.filter((part) => part !== forgotten);
    expect(await failures(others, forgotten)).not.toEqual([]);
    expect(await failures(PART_NAMES, forgotten)).toEqual([]);
  });

  it('a storage without appearances that forgets the audit log fails', async () => {
    expect(await failures(['appearances'], 'audit')).toEqual([
      'reopen: data keys, counts and the audit log are there',
    ]);
  });
});
