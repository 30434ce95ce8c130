import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { bytesOf, decrypt, encrypt, KEY_BYTES, placeOf } from './cipher.ts';
import { type KeyWrapping, subjectOf, type WrappingContext, wrappedName } from './key-wrapping.ts';
import { SealingError } from './sealing-error.ts';

/** Minimum length of a secret. `createNodeSecrets` requires the same (@countersign/runtime). */
const MIN_SECRET_BYTES = 32;

const WRAPPING_INFO = 'countersign data key wrapping v1';
const NAME_INFO = 'countersign data key wrapping name v1';
/** 64 bits, so that keys of different rings practically never share a name. */
const NAME_BYTES = 8;

/**
 * Wraps data keys, secrets of webhooks and index keys with keys derived from the server's secrets by HKDF-SHA256 (RFC 5869). The first secret, which is the
 * newest, wraps; all of them unwrap. The same secrets may serve other purposes. A key's name is derived the same way
 * and reveals neither key nor secret.
 * @throws RangeError on an empty ring or a secret under 32 bytes
 */
export function createKeyRing(secretKeys: readonly Uint8Array[]): KeyWrapping {
  if (secretKeys.some((secret) => secret.byteLength < MIN_SECRET_BYTES)) {
    throw new RangeError(`A secret must have at least ${MIN_SECRET_BYTES} bytes`);
  }
  const ring = secretKeys.map(wrappingKeyOf);
  const [newest] = ring;
  if (newest === undefined) throw new RangeError('The key ring must hold at least one secret');

  return {
    newest: newest.name,

    wrap(key, context) {
      const sealed = encrypt(newest.key, wrappingPlace(newest.name, context), key);
      return { wrappedBy: newest.name, wrapped: sealed.toString('base64url') };
    },

    async unwrap({ wrappedBy, wrapped }, context) {
      const known = ring.find(({ name }) => name === wrappedBy);
      if (known === undefined) {
        const message = `${ownerOf(context)} is sealed by a secret that SECRET_KEYS does not contain`;
        throw new SealingError('UNKNOWN_KEY', message, subjectOf(context));
      }
      const sealed = bytesOf(wrapped);
      const key = sealed && decrypt(known.key, wrappingPlace(wrappedBy, context), sealed);
      if (key === undefined)
        throw new SealingError('DAMAGED', `${wrappedName(context)} is damaged`, subjectOf(context));
      return key;
    },
  };
}

interface WrappingKey {
  readonly name: string;
  readonly key: KeyObject;
}

function wrappingKeyOf(secret: Uint8Array): WrappingKey {
  return {
    name: Buffer.from(derive(secret, NAME_INFO, NAME_BYTES)).toString('hex'),
    key: createSecretKey(new Uint8Array(derive(secret, WRAPPING_INFO, KEY_BYTES))),
  };
}

function derive(secret: Uint8Array, info: string, bytes: number): ArrayBuffer {
  return hkdfSync('sha256', secret, '', info, bytes);
}

function wrappingPlace(name: string, context: WrappingContext): string {
  const { clientId } = context;
  if ('endpointId' in context) return placeOf('countersign webhook secret v1', name, clientId, context.endpointId);
  if ('indexKeyVersion' in context)
    return placeOf('countersign index key v1', name, clientId, `${context.indexKeyVersion}`);
  return placeOf('countersign data key v1', name, clientId, context.verificationId);
}

/** Names what is unreadable without the key. */
function ownerOf(context: WrappingContext): string {
  return 'verificationId' in context ? `Verification ${context.verificationId}` : wrappedName(context);
}
