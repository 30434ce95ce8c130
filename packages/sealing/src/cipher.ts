import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/** Bytes of a key of AES-256. */
export const KEY_BYTES = 32;

const ALGORITHM = 'aes-256-gcm';
/** What GCM is made for (NIST SP 800-38D, section 5.2.1.1). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Encrypts by AES-256-GCM with a nonce that was never used before: 96 random bits.
 * @param key a KeyObject: Node takes several times as long for a key that it must make one of first
 * @param place what the result belongs to (`placeOf`): it decrypts nowhere else
 * @param header clear bytes before the content; written here so that a large content is not copied again
 * @returns header, nonce, ciphertext and tag, in this order
 */
export function encrypt(key: KeyObject, place: string, content: Uint8Array, header: Buffer = NOTHING): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));
  const ciphertext = cipher.update(content);
  // GCM is a stream cipher: the end brings no further bytes, and only then there is a tag.
  cipher.final();
  const sealed = Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
  // Of a picture that is 10 MB, which the collector of garbage would let pile up. A small one shares its memory.
  if (ciphertext.byteLength === ciphertext.buffer.byteLength) ciphertext.buffer.transfer(0);
  return sealed;
}

/** What `encrypt` was given, or undefined where key, place or a single bit is another. */
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
    // Its one error is that the tag does not fit, and its text says nothing more.
    return undefined;
  }
}

/** Written so that no two lists of parts give the same text. */
export function placeOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** The bytes of canonical base64url; undefined for any other spelling, which decoding would put up with. */
export function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
