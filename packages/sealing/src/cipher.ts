import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { freshRandomBytes } from './random-bytes.ts';

/** Bytes of a key of AES-256. */
export const KEY_BYTES = 32;

const ALGORITHM = 'aes-256-gcm';
/** The recommended length of a GCM nonce (NIST SP 800-38D, section 5.2.1.1). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NOTHING: Buffer = Buffer.alloc(0);

/** Bytes that `encrypt` adds to a content, besides the header. */
export const ADDED_BYTES: number = NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts with AES-256-GCM and a fresh nonce of 96 random bits.
 * @param key a KeyObject, because Node is several times slower with raw bytes
 * @param place the authenticated place of the result (`placeOf`): it decrypts for no other place
 * @param header clear bytes before the content; written here so that a large content is not copied again
 * @returns header, nonce, ciphertext and tag, in this order
 */
export function encrypt(key: KeyObject, place: string, content: Uint8Array, header: Buffer = NOTHING): Buffer {
  const nonce = freshRandomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));
  const ciphertext = cipher.update(content);
  // GCM is a stream cipher: `final` returns no bytes, but the tag exists only after it.
  cipher.final();
  const sealed = Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
  // The ciphertext of a picture takes up to 10 MB, which the garbage collector would let pile up.
  if (ciphertext.byteLength === ciphertext.buffer.byteLength) ciphertext.buffer.transfer(0);
  return sealed;
}

/** Decrypts what `encrypt` returned; undefined if the key, the place or any bit differs. */
export function decrypt(key: KeyObject, place: string, sealed: Uint8Array): Buffer | undefined {
  if (sealed.byteLength < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const content = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    decipher.final();
    return content;
  } catch {
    // The only error is a tag that does not match.
    return undefined;
  }
}

/** Joins parts so that no two lists give the same text. */
export function placeOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** Decodes canonical base64url; undefined for any other spelling, which Node's decoder would accept. */
export function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
