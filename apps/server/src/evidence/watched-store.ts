import { isCountersignError } from '@countersign/domain';
import type { EvidenceStore } from '@countersign/domain/evidence';

/** How long a failure counts. Later, the store may work again although nothing was stored or read since. */
const FAILURE_COUNTS_MS = 60_000;

/** A store of files that knows whether it works. */
export interface WatchedStore {
  readonly store: EvidenceStore;
  /** Whether, in the last minute, a file could not be stored or read because of its disk or bucket, and none could since. */
  isDown(): boolean;
}

/** Watches the files that a store takes and gives. */
export function watchStore(inner: EvidenceStore, now: () => number = Date.now): WatchedStore {
  const failures = new Map<'put' | 'get', number>();

  async function watched<T>(operation: 'put' | 'get', result: Promise<T>): Promise<T> {
    try {
      const value = await result;
      failures.delete(operation);
      return value;
    } catch (error) {
      if (isCountersignError(error, 'SERVICE_UNAVAILABLE')) failures.set(operation, now());
      throw error;
    }
  }

  return {
    store: {
      put: (place, content) => watched('put', inner.put(place, content)),
      get: (place) => watched('get', inner.get(place)),
      delete: (place) => inner.delete(place),
      filesOf: (verification) => inner.filesOf(verification),
      listWrittenBefore: (moment) => inner.listWrittenBefore(moment),
    },
    isDown: () => [...failures.values()].some((at) => now() - at < FAILURE_COUNTS_MS),
  };
}
