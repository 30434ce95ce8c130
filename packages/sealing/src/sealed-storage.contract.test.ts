import { createMemoryStorage } from '@countersign/memory';
import { ALL_SUITES } from '@countersign/storage-contract';
import { describe, expect, it } from 'vitest';
import { NEW, OLD } from '../test-support/keys.ts';
import { createKeyRing } from './key-ring.ts';
import { createSealedStorage } from './sealed-storage.ts';

/**
 * Here the kit itself puts a data key to a verification that holds answers, and looks for it in the record. Around a
 * storage that seals, those keys are made by who seals and do not come out: just that these fail is asked.
 */
const PUTS_ITS_OWN_DATA_KEYS = [
  'data keys: the first one is put where none is, and is read the same by every way',
  'data keys: one that a creation brings is kept',
  'data keys: replacing it touches nothing else, of this verification or of another',
  'data keys: a commit leaves it, whatever the record says',
  'data keys at once: a replacement and a change of the verification at once both hold',
  'own values: a verification stays as created, whatever becomes of what was handed in',
  'own values: a verification stays as stored, whatever becomes of what was read',
];

const cases = ALL_SUITES.flatMap((suite) =>
  suite.cases.map(({ name, run }) => ({ name: `${suite.name}: ${name}`, run })),
);

describe('the contract of storages, on a sealed one', () => {
  for (const { name, run } of cases) {
    const test = PUTS_ITS_OWN_DATA_KEYS.includes(name) ? it.fails : it;
    test(name, { timeout: 60_000 }, async ({ onTestFinished }) => {
      const storage = createSealedStorage(createMemoryStorage(), { keys: createKeyRing([NEW, OLD]) });
      onTestFinished(() => storage.close());
      await run(storage);
    });
  }

  it('has every case that is left out', () => {
    const names = cases.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(PUTS_ITS_OWN_DATA_KEYS));
    expect(names.length).toBeGreaterThan(200);
  });
});
