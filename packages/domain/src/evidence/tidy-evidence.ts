import type { Runtime } from '../runtime.ts';
import { isThumbnailId } from './evidence-file.ts';
import type { RemoveReadings } from './evidence-keeper.ts';
import type { EvidencePlace, EvidenceStore } from './evidence-store.ts';

/** Deletes contents of files that no verification names. */
export interface TidyEvidence {
  /**
   * Deletes contents that no verification names, and what was read from them: a process died between writing and committing, or a
   * deletion failed. Keeps contents younger than an hour, whose upload may still be running. Keeps contents of unknown verifications
   * and counts them as `foreign`: verifications are never deleted, so the database must be another one or an older
   * copy. A content whose deletion fails is reported and stays.
   */
  tidy(): Promise<{ readonly deleted: number; readonly foreign: number }>;
}

const HOUR_MS = 60 * 60 * 1000;

export function createTidyEvidence(
  ports: Pick<Runtime, 'clock' | 'onFault'> & {
    store: EvidenceStore | undefined;
    removeReadings: RemoveReadings;
    /** Returns the ids of the contents of a verification's files, or null when there is no such verification. */
    fileIdsOf: (place: Omit<EvidencePlace, 'fileId'>) => Promise<ReadonlySet<string> | null>;
  },
): TidyEvidence {
  const { store, fileIdsOf, removeReadings, clock, onFault } = ports;

  return {
    async tidy() {
      if (store === undefined) return { deleted: 0, foreign: 0 };
      let deleted = 0;
      let foreign = 0;
      // Files of one verification mostly come one after another, so the last verification is cached.
      let last: { key: string; names: ReadonlySet<string> | null } = { key: '', names: null };
      for await (const place of store.listWrittenBefore(new Date(clock.now().getTime() - HOUR_MS))) {
        const key = `${place.clientId}/${place.verificationId}`;
        try {
          if (last.key !== key) last = { key, names: await fileIdsOf(place) };
          if (last.names === null) foreign += 1;
          if (last.names === null || last.names.has(place.fileId)) continue;
          if (!isThumbnailId(place.fileId)) await removeReadings([place]);
          await store.delete(place);
          deleted += 1;
        } catch (fault) {
          onFault(fault);
        }
      }
      return { deleted, foreign };
    },
  };
}
