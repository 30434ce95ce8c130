import { hash } from 'node:crypto';
import { CountersignError } from '@countersign/domain';
import { AccountsFault } from '../errors.ts';
import { type VersionedSecret, versionOf } from '../sessions/secrets.ts';

/** Encrypts texts with the newest secret of the ring, and decrypts what any of its secrets encrypted. */
export interface Sealing {
  /** Returns `$ba$version$` and, in hexadecimal digits, a nonce of 24 bytes, the ciphertext and its tag. */
  seal(text: string): Promise<string>;
  /** @throws CountersignError as `requireSecret` */
  open(sealed: string): Promise<string>;
  /**
   * Checks that the ring has the secret that sealed a value. A server that was not restarted after a rotation lacks the new secret.
   * @throws CountersignError `SERVICE_UNAVAILABLE`, caused by an `AccountsFault` `UNKNOWN_KEY`
   */
  requireSecret(sealed: string): void;
}

/**
 * Seals as better-auth 1.7 did, which servers of 0.4 and earlier use: XChaCha20-Poly1305, whose key is the SHA-256 of the
 * secret. Node has no XChaCha20; the library is loaded on first use.
 */
export function createSealing(secrets: readonly [VersionedSecret, ...VersionedSecret[]]): Sealing {
  const [newest] = secrets;

  function secretOf(sealed: string): VersionedSecret {
    const version = versionOf(sealed);
    const secret = secrets.find((known) => known.version === version);
    if (secret === undefined) throw unknownSecret();
    return secret;
  }

  return {
    async seal(text) {
      const cipher = await cipherOf(newest);
      const bytes = cipher.encrypt(Buffer.from(text));
      return `$ba$${newest.version}$${Buffer.from(bytes).toString('hex')}`;
    },
    async open(sealed) {
      const cipher = await cipherOf(secretOf(sealed));
      const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf('$') + 1), 'hex');
      return Buffer.from(cipher.decrypt(bytes)).toString();
    },
    requireSecret: (sealed) => void secretOf(sealed),
  };
}

async function cipherOf({ value }: VersionedSecret) {
  const { xchacha20poly1305 } = await import('@noble/ciphers/chacha.js');
  const { managedNonce } = await import('@noble/ciphers/utils.js');
  return managedNonce(xchacha20poly1305)(hash('sha256', value, 'buffer'));
}

function unknownSecret(): CountersignError {
  const cause = new AccountsFault(
    'UNKNOWN_KEY',
    'A second factor is sealed by a secret that SECRET_KEYS does not contain',
  );
  return new CountersignError('SERVICE_UNAVAILABLE', undefined, { cause });
}
