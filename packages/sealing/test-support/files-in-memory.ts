import type { EvidencePlace, EvidenceStore } from '@countersign/domain/evidence';

/** An evidence store whose files a test can read and change. */
export interface FilesInMemory extends EvidenceStore {
  at(place: EvidencePlace): Buffer;
  count(): number;
}

export function createFilesInMemory(): FilesInMemory {
  const files = new Map<string, { place: EvidencePlace; content: Buffer }>();
  const keyOf = ({ clientId, verificationId, fileId }: EvidencePlace) => `${clientId}/${verificationId}/${fileId}`;
  return {
    put: async (place, content) => void files.set(keyOf(place), { place, content: Buffer.from(content) }),
    get: async (place) => files.get(keyOf(place))?.content ?? null,
    delete: async (place) => void files.delete(keyOf(place)),
    async filesOf({ clientId, verificationId }) {
      const found = [...files.entries()].filter(([key]) => key.startsWith(`${clientId}/${verificationId}/`));
      return found.map(([, { place }]) => place);
    },
    async *listWrittenBefore() {
      for (const { place } of files.values()) yield place;
    },
    at: (place) => files.get(keyOf(place))?.content ?? Buffer.alloc(0),
    count: () => files.size,
  };
}
