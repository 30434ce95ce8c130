import { createKeyValueStorage, type KeyValueStore } from '@countersign/storage-keyvalue';
import { describe, expect, it } from 'vitest';
import {
  answeringEarly,
  losingHalf,
  overlapping,
  writingOneByOne,
} from '../test-support/mutants/key-value-stores.ts';
import { crashingStore } from '../test-support/stores.ts';
import type { Suite } from './suite.ts';
import { quotaSuite } from './suites/creation.ts';
import { crashSuite, keyValueStoreSuite } from './suites/key-value-store.ts';

/** The messages of the cases that fail. */
async function failures<Subject>({ cases }: Suite<Subject>, create: () => Subject): Promise<string[]> {
  const messages: string[] = [];
  for (const { run } of cases) await run(create()).catch((error: unknown) => messages.push(String(error)));
  return messages;
}

describe('a broken store', () => {
  it('a store whose operations overlap: its contract and that of the storage on it say so', async () => {
    expect(await failures(keyValueStoreSuite, overlapping)).toEqual([
      expect.stringContaining('Operations must run one after the other'),
    ]);
    expect(await failures(quotaSuite, () => createKeyValueStorage(overlapping()))).not.toEqual([]);
    expect(await failures(quotaSuite, () => createKeyValueStorage(crashingStore().store))).toEqual([]);
  });

  it('a store that keeps half of a batch: its contract says so', async () => {
    expect(await failures<KeyValueStore>(keyValueStoreSuite, writingOneByOne)).toEqual([
      expect.stringContaining('some of a batch that ended half-way were kept'),
    ]);
    expect(await failures(crashSuite, losingHalf)).toEqual([
      expect.stringContaining('A crash must leave all writes of a batch, or none'),
    ]);
  });

  it('a store that answers before a write is durable: its contract says so', async () => {
    expect(await failures(crashSuite, answeringEarly)).toContainEqual(
      expect.stringContaining('A call must resolve once its batch is durable'),
    );
  });
});
