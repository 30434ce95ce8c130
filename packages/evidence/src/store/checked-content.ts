import { hash } from 'node:crypto';

const MARK: Uint8Array = new TextEncoder().encode('countersign-evidence-1\n');
const DIGEST_BYTES = 32;
const HEAD_BYTES = MARK.byteLength + DIGEST_BYTES;

/** The header of a stored file: the format and the SHA-256 of the content. */
export function checkedHead(content: Uint8Array): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES);
  head.set(MARK);
  head.set(hash('sha256', content, 'buffer'), MARK.byteLength);
  return head;
}

/**
 * Returns the content of a stored file.
 * @throws Error if the file was changed on the disk
 */
export function checkedContent(stored: Uint8Array): Uint8Array {
  // Also where it was read into a Buffer.
  const content = new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength).subarray(HEAD_BYTES);
  const head = stored.subarray(0, HEAD_BYTES);
  if (Buffer.compare(head, checkedHead(content)) !== 0) throw new Error('A stored file of evidence is damaged.');
  return content;
}
