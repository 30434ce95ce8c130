import type { Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { createSealedStorage } from '../src/sealed-storage.ts';
import { countingKeys } from './keys.ts';
import { type RecordedCall, recordingStorage } from './recording-storage.ts';

export interface GivenSealed {
  /** The storage in memory below, which should receive sealed values alone. */
  readonly raw: Storage;
  /** The calls that it received. */
  readonly calls: RecordedCall[];
  readonly keys: ReturnType<typeof countingKeys>;
  readonly sealed: Storage;
}

/** Creates a sealed storage over one in memory that records its calls. */
export function givenSealed(): GivenSealed {
  const { storage: raw, calls } = recordingStorage(createMemoryStorage());
  const keys = countingKeys();
  return { raw, calls, keys, sealed: createSealedStorage(raw, { keys }) };
}
