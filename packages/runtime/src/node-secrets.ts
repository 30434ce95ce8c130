import { createHmac, createSecretKey, hash, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '@countersign/domain';

/** A shorter secret would weaken HMAC-SHA256 (RFC 2104, section 3). */
const MIN_SECRET_BYTES = 32;

/**
 * Creates `Secrets` on node:crypto. The ring holds the server's secrets, newest first: the first signs, all of them
 * verify, so that links signed before a rotation still open.
 * @throws RangeError on an empty ring or a secret under 32 bytes
 */
export function createNodeSecrets(ring: readonly Uint8Array[]): Secrets {
  if (ring.some((secret) => secret.byteLength < MIN_SECRET_BYTES)) {
    throw new RangeError(`A secret must have at least ${MIN_SECRET_BYTES} bytes`);
  }
  const keys = ring.map((secret) => createSecretKey(secret));
  const [newest] = keys;
  if (newest === undefined) throw new RangeError('The key ring must hold at least one secret');

  return {
    randomHex: (bytes) => randomBytes(bytes).toString('hex'),
    randomBase64: (bytes) => randomBytes(bytes).toString('base64'),
    sha256: (text) => hash('sha256', text, 'hex'),
    sign: (text) => createHmac('sha256', newest).update(text).digest('base64url'),
    verify(text, signature) {
      const presented = Buffer.from(signature, 'base64url');
      // Decoding is lenient: only the canonical form of a signature is accepted.
      if (presented.toString('base64url') !== signature) return false;
      return keys.some((key) => isEqual(presented, mac(key, text)));
    },
  };
}

function mac(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function isEqual(presented: Buffer, expected: Buffer): boolean {
  return presented.byteLength === expected.byteLength && timingSafeEqual(presented, expected);
}
