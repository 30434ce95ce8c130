import type { EvidencePlace, EvidenceStore } from '@countersign/domain';
import { keyOf } from './tables.ts';

/** Contents of files in memory, for tests and trials. Copied on their way in and out. When they were written, `now` says. */
export function createMemoryEvidenceStore(options: { now?: () => Date } = {}): EvidenceStore {
  const { now = () => new Date() } = options;
  const files = new Map<string, { place: EvidencePlace; content: Uint8Array; writtenAt: Date }>();
  const nameOf = ({ clientId, verificationId, fileId }: EvidencePlace) => keyOf(clientId, verificationId, fileId);

  return {
    async put(place, content) {
      if (files.has(nameOf(place))) throw new Error(`file ${place.fileId} is there already`);
      files.set(nameOf(place), { place: { ...place }, content: content.slice(), writtenAt: now() });
    },

    get: async (place) => files.get(nameOf(place))?.content.slice() ?? null,

    async delete(place) {
      files.delete(nameOf(place));
    },

    async *listWrittenBefore(moment) {
      for (const { place, writtenAt } of files.values()) if (writtenAt < moment) yield { ...place };
    },
  };
}
