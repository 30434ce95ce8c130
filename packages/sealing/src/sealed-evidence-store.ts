import { EvidenceFault, type EvidencePlace, type EvidenceStore } from '@countersign/domain/evidence';
import type { DataKeyRepository } from '@countersign/domain/storage';
import { ADDED_BYTES, decrypt, encrypt, placeOf } from './cipher.ts';
import type { KeyWrapping } from './key-wrapping.ts';
import { SealingError, unavailableWithoutKey } from './sealing-error.ts';
import { createVerificationKeys } from './verification-keys.ts';

const VERSION = 1;
/** The first bytes of a sealed file. No picture or document format begins with them. */
const HEADER: Buffer = Buffer.from([...Buffer.from('csealed'), VERSION]);

/** Bytes by which a sealed file is larger than its content. */
export const SEALED_FILE_ADDS: number = HEADER.length + ADDED_BYTES;

/**
 * Wraps an evidence store so that every file is encrypted with the data key of its verification: header, nonce,
 * ciphertext and tag. A file opens only under the file id, verification and client it was put with.
 *
 * `put` rejects for an unknown verification. `get` rejects with a `SealingError` for a file that was changed, moved or
 * stored as plain text. Files are processed as a whole, because they have at most 10 MB (`EVIDENCE_MAX_BYTES`).
 */
export function createSealedEvidenceStore(
  store: EvidenceStore,
  options: { readonly keys: KeyWrapping; readonly dataKeys: Pick<DataKeyRepository, 'find' | 'replace'> },
): EvidenceStore {
  const verificationKeys = createVerificationKeys(options);
  return {
    async put(place, content) {
      const dataKey = await unavailableWithoutKey(verificationKeys.findOrStore(place));
      if (dataKey === null) throw new EvidenceFault('NO_VERIFICATION', place);
      await store.put(place, encrypt(dataKey, placeOfFile(place), content, HEADER));
    },

    async get(place) {
      const sealed = await store.get(place);
      if (sealed === null) return null;
      const { verificationId, fileId } = place;
      const about = { verificationId, fileId };
      const header = sealed.subarray(0, HEADER.length);
      if (!HEADER.equals(header)) throw new SealingError('NOT_SEALED', `${nameOf(place)} is not sealed`, about);
      const dataKey = await unavailableWithoutKey(verificationKeys.find(place));
      if (dataKey === null) {
        throw new SealingError(
          'NO_DATA_KEY',
          `${nameOf(place)} is sealed, but the verification has no data key`,
          about,
        );
      }
      const content = decrypt(dataKey, placeOfFile(place), sealed.subarray(HEADER.length));
      if (content === undefined) throw new SealingError('DAMAGED', `${nameOf(place)} is damaged`, about);
      return content;
    },

    delete: (place) => store.delete(place),
    filesOf: (verification) => store.filesOf(verification),
    listWrittenBefore: (moment) => store.listWrittenBefore(moment),
  };
}

function nameOf({ fileId, verificationId }: EvidencePlace): string {
  return `File ${fileId} of verification ${verificationId}`;
}

function placeOfFile({ clientId, verificationId, fileId }: EvidencePlace): string {
  return placeOf(`countersign sealed file v${VERSION}`, clientId, verificationId, fileId);
}
