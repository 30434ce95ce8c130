import type { Clock } from '../runtime.ts';
import type { EvidencePlace, EvidenceStore } from './evidence-store.ts';

/** Deletes contents of files that no verification names. */
export interface TidyEvidence {
  /**
   * Deletes contents that no verification names: left behind by a process that died between writing and committing, or
   * by a deletion that failed. Younger ones than an hour stay, since their upload may still be on its way. Those of a
   * verification that is not there stay too, and are counted as `foreign`: none is ever deleted, so this is another
   * database than the one that they belong to, or an older state of it. Faults with one content are reported, and it
   * stays.
   */
  tidy(): Promise<{ readonly deleted: number; readonly foreign: number }>;
}

const HOUR_MS = 60 * 60 * 1000;

export function createTidyEvidence(ports: {
  store: EvidenceStore | undefined;
  /** Returns the ids of a verification's files, or null when there is no such verification. */
  fileIdsOf: (place: Omit<EvidencePlace, 'fileId'>) => Promise<ReadonlySet<string> | null>;
  clock: Clock;
  onFault: (fault: unknown) => void;
}): TidyEvidence {
  const { store, fileIdsOf, clock, onFault } = ports;

  return {
    async tidy() {
      if (store === undefined) return { deleted: 0, foreign: 0 };
      let deleted = 0;
      let foreign = 0;
      // Files of one verification mostly come one after another. No more than one verification is remembered.
      let last: { key: string; names: ReadonlySet<string> | null } = { key: '', names: null };
      for await (const place of store.listWrittenBefore(new Date(clock.now().getTime() - HOUR_MS))) {
        const key = `${place.clientId}/${place.verificationId}`;
        try {
          if (last.key !== key) last = { key, names: await fileIdsOf(place) };
          if (last.names === null) foreign += 1;
          if (last.names === null || last.names.has(place.fileId)) continue;
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
