import type { EvidencePlace, EvidenceStore } from '@countersign/domain/evidence';

/**
 * Creates an evidence store in memory, for tests and trials. Contents are copied on their way in and out.
 *
 * @param options `now` returns the time of a write; the system's by default
 *
 * @example
 * const store = createMemoryEvidenceStore();
 * const place = { clientId: 'client-1', verificationId: 'verification-1', fileId: 'file-1' };
 * await store.put(place, Uint8Array.of(1, 2, 3));
 * await store.get(place); // Uint8Array [1, 2, 3]
 */
export function createMemoryEvidenceStore(options: { now?: () => Date } = {}): EvidenceStore {
  const { now = () => new Date() } = options;
  const files = new Map<string, { place: EvidencePlace; content: Uint8Array; writtenAt: Date }>();
  const nameOf = ({ clientId, verificationId, fileId }: EvidencePlace) =>
    [clientId, verificationId, fileId].join('/');

  return {
    async put(place, content) {
      if (files.has(nameOf(place))) throw new Error(`file ${place.fileId} is there already`);
      files.set(nameOf(place), { place: { ...place }, content: Uint8Array.from(content), writtenAt: now() });
    },

    get: async (place) => files.get(nameOf(place))?.content.slice() ?? null,

    async delete(place) {
      files.delete(nameOf(place));
    },

    async filesOf({ clientId, verificationId }) {
      const places = [...files.values()].map(({ place }) => place);
      const found = places.filter(
        (place) => place.clientId === clientId && place.verificationId === verificationId,
      );
      return found.map((place) => ({ ...place }));
    },

    async *listWrittenBefore(moment) {
      for (const { place, writtenAt } of files.values()) if (writtenAt < moment) yield { ...place };
    },
  };
}
