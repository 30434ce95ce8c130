import { createHash, hash } from 'node:crypto';
import { EvidenceFault, type EvidencePlace } from '@countersign/domain/evidence';

const MARK: Uint8Array = new TextEncoder().encode('countersign-evidence-1\n');
const DIGEST_BYTES = 32;
/** Bytes of a stored file before its content. */
export const HEAD_BYTES: number = MARK.byteLength + DIGEST_BYTES;

/** Makes the header of a stored file: the format and the SHA-256 of the content. */
export function checkedHead(content: Uint8Array): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES);
  head.set(MARK);
  head.set(hash('sha256', content, 'buffer'), MARK.byteLength);
  return head;
}

/** Checks a stored file that is read in chunks. */
export interface StoredFileCheck {
  add(chunk: Uint8Array): void;
  /** Returns whether the stored file was changed. Call it once, after the last chunk. */
  isDamaged(): boolean;
}

/** Creates the check of one stored file, for programs that copy it in chunks. */
export function createStoredFileCheck(): StoredFileCheck {
  const head = Buffer.alloc(HEAD_BYTES);
  const content = createHash('sha256');
  let bytes = 0;
  return {
    add(chunk) {
      const ofHead = Math.min(Math.max(HEAD_BYTES - bytes, 0), chunk.byteLength);
      head.set(chunk.subarray(0, ofHead), Math.min(bytes, HEAD_BYTES));
      content.update(chunk.subarray(ofHead));
      bytes += chunk.byteLength;
    },
    isDamaged: () => Buffer.compare(head, Buffer.concat([MARK, content.digest()])) !== 0,
  };
}

/**
 * Returns the content of a stored file.
 * @throws EvidenceFault `FILE_DAMAGED` if the file on the disk was changed
 */
export function checkedContent(stored: Uint8Array, place: EvidencePlace): Uint8Array {
  // A plain Uint8Array, also if the file was read into a Buffer.
  const content = new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength).subarray(HEAD_BYTES);
  const head = stored.subarray(0, HEAD_BYTES);
  if (Buffer.compare(head, checkedHead(content)) !== 0) throw new EvidenceFault('FILE_DAMAGED', place);
  return content;
}
