import { setImmediate as nextIteration } from 'node:timers/promises';
import { createKeyRing } from '../src/key-ring.ts';
import type { KeyWrapping } from '../src/key-wrapping.ts';

export const OLD: Uint8Array = new Uint8Array(32).fill(1);
export const NEW: Uint8Array = new Uint8Array(32).fill(2);

/** Wraps a key ring and counts its calls. */
export function countingKeys(secretKeys: readonly Uint8Array[] = [OLD]): KeyWrapping & { asked: number } {
  const ring = createKeyRing(secretKeys);
  const counting = {
    newest: ring.newest,
    asked: 0,
    wrap: (...given: Parameters<KeyWrapping['wrap']>) => {
      counting.asked += 1;
      return ring.wrap(...given);
    },
    unwrap: (...given: Parameters<KeyWrapping['unwrap']>) => {
      counting.asked += 1;
      return ring.unwrap(...given);
    },
  };
  return counting;
}

/** Makes keys wrap after a while, as those of a key management service do. */
export function wrappingLater(keys: KeyWrapping): KeyWrapping {
  return {
    ...keys,
    async wrap(...given) {
      await nextIteration();
      return keys.wrap(...given);
    },
  };
}
