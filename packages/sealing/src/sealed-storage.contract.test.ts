// Every case of the kit on a sealed storage: each value is encrypted.
import { createMemoryStorage } from '@countersign/memory';
import { ALL_SUITES } from '@countersign/storage-contract';
import { EXPECTED_TO_FAIL } from '@countersign/test-support/records/sealed-contract';
import { describe, expect, it } from 'vitest';
import { NEW, OLD } from '../test-support/keys.ts';
import { createKeyRing } from './key-ring.ts';
import { createSealedStorage } from './sealed-storage.ts';

const cases = ALL_SUITES.flatMap((suite) =>
  suite.cases.map(({ name, run }) => ({ name: `${suite.name}: ${name}`, run })),
);

describe('the contract of storages, on a sealed one', () => {
  for (const { name, run } of cases) {
    const test = EXPECTED_TO_FAIL.includes(name) ? it.fails : it;
    test(name, { timeout: 60_000 }, async ({ onTestFinished }) => {
      const storage = createSealedStorage(createMemoryStorage(), { keys: createKeyRing([NEW, OLD]) });
      onTestFinished(() => storage.close());
      await run(storage);
    });
  }

  it('the contract of storages, on a sealed one has every case that is expected to fail', () => {
    const names = cases.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...EXPECTED_TO_FAIL]));
    expect(names.length).toBeGreaterThan(200);
  });
});
