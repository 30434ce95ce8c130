import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { SealingSecrets } from '@countersign/domain';

/** A shorter secret would weaken HMAC-SHA256 (RFC 2104, section 3). */
const MIN_SECRET_BYTES = 32;

/**
 * Creates `SealingSecrets` on node:crypto. The ring holds the server's secrets, newest first: the first signs and
 * seals, all of them verify and open, so that links signed before a rotation still open.
 * @throws RangeError on an empty ring or a secret under 32 bytes
 */
export function createNodeSecrets(ring: readonly Uint8Array[]): SealingSecrets {
  if (ring.some((secret) => secret.byteLength < MIN_SECRET_BYTES)) {
    throw new RangeError(`A secret must have at least ${MIN_SECRET_BYTES} bytes`);
  }
  const keys = ring.map((secret) => createSecretKey(secret));
  const sealingKeys = ring.map(sealingKeyOf);
  const [newest] = keys;
  const [newestSealing] = sealingKeys;
  if (newest === undefined || newestSealing === undefined)
    throw new RangeError('The key ring must hold at least one secret');

  const indexKeys = createIndexKeys();

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
    label: (key, purpose, text) =>
      mac(indexKeys.of(key, purpose), text).subarray(0, LABEL_BYTES).toString('base64url'),
    seal: (content, purpose) => seal(newestSealing, content, purpose),
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.byteLength < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return null;
      for (const key of sealingKeys) {
        const content = open(key, bytes, purpose);
        if (content !== null) return content;
      }
      return null;
    },
  };
}

const LABEL_BYTES = 16;

/** Number of derived keys that are kept: each purpose of a client has one. Deriving takes four times as long as a label. */
const INDEX_KEYS = 1_000;

/** Derives a key for each purpose of a blind index (HKDF-SHA256, RFC 5869), and keeps those that were used last. */
function createIndexKeys(): { of(key: string, purpose: string): KeyObject } {
  const derived = new Map<string, KeyObject>();
  return {
    of(key, purpose) {
      const name = `${key} ${purpose}`;
      const known = derived.get(name);
      if (known !== undefined) return known;
      const info = `countersign blind index v1 ${purpose}`;
      const made = createSecretKey(
        new Uint8Array(hkdfSync('sha256', Buffer.from(key, 'base64'), '', info, KEY_BYTES)),
      );
      const [oldest] = derived.size < INDEX_KEYS ? [] : derived.keys();
      if (oldest !== undefined) derived.delete(oldest);
      derived.set(name, made);
      return made;
    },
  };
}

const ALGORITHM = 'aes-256-gcm';
const SEALING_INFO = 'countersign sealed text v1';
const KEY_BYTES = 32;
/** The recommended length of a GCM nonce (NIST SP 800-38D, section 5.2.1.1). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Derives a key of its own (HKDF-SHA256, RFC 5869), so that no secret both signs and encrypts. */
function sealingKeyOf(secret: Uint8Array): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', SEALING_INFO, KEY_BYTES)));
}

/** AES-256-GCM with a random nonce: nonce, ciphertext and tag. The purpose is authenticated and not contained. */
function seal(key: KeyObject, content: Uint8Array, purpose: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(purpose));
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function open(key: KeyObject, sealed: Buffer, purpose: string): Buffer | null {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const content = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([content, decipher.final()]);
  } catch {
    // The only error is a tag that does not match.
    return null;
  }
}

function mac(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function isEqual(presented: Buffer, expected: Buffer): boolean {
  return presented.byteLength === expected.byteLength && timingSafeEqual(presented, expected);
}
