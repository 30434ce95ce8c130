import type { Storage, WrappedDataKey } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { clientId, verificationId } from './ids.ts';

/** The `n`th data key, wrapped by the first key by default. */
export function aDataKey(n: number, wrappedBy = 'key-1'): WrappedDataKey {
  return { wrappedBy, wrapped: `wrapped_${n}-AZaz09` };
}

type Change = Parameters<Storage['dataKeys']['replace']>[0];

/** Replaces the data key of the first client's `n`th verification, which has none yet by default. */
export function replace(
  storage: Storage,
  n: number,
  next: WrappedDataKey,
  given: Partial<Change> = {},
): ReturnType<Storage['dataKeys']['replace']> {
  const change = { clientId: clientId(1), verificationId: verificationId(n), expected: null, next };
  return storage.dataKeys.replace({ ...change, ...given });
}

/** Gives the first client's `n`th verification a data key. */
export async function givenDataKey(storage: Storage, n: number, dataKey: WrappedDataKey): Promise<WrappedDataKey> {
  expect(await replace(storage, n, dataKey), 'set-up of the case: dataKeys.replace').toEqual({
    outcome: 'replaced',
  });
  return dataKey;
}
