import { isCountersignError } from '@countersign/domain';
import type { EvidenceStore } from '@countersign/domain/evidence';
import type { Metrics } from './metrics.ts';

/** What a store of files does. */
type EvidenceOperation = Parameters<Metrics['evidenceUnavailable']['inc']>[0]['operation'];

/** Wraps a store of files so that operations that its folder or bucket could not do are counted. */
export function countEvidenceOutages(
  store: EvidenceStore,
  { evidenceUnavailable }: Pick<Metrics, 'evidenceUnavailable'>,
): EvidenceStore {
  const count = (operation: EvidenceOperation, error: unknown): void => {
    if (isCountersignError(error, 'SERVICE_UNAVAILABLE')) evidenceUnavailable.inc({ operation });
  };
  const counted = async <T>(operation: EvidenceOperation, call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      count(operation, error);
      throw error;
    }
  };
  return {
    put: (place, content) => counted('put', store.put(place, content)),
    get: (place) => counted('get', store.get(place)),
    delete: (place) => counted('delete', store.delete(place)),
    filesOf: (verification) => counted('list', store.filesOf(verification)),
    async *listWrittenBefore(moment) {
      try {
        yield* store.listWrittenBefore(moment);
      } catch (error) {
        count('list', error);
        throw error;
      }
    },
  };
}
