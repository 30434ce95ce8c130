import { hkdfSync } from 'node:crypto';

/** A secret of the ring. Sealed values name the version of their secret. */
export interface VersionedSecret {
  readonly version: number;
  readonly value: string;
}

const SECRET_BYTES = 32;
const VERSION_BYTES = 4;

/**
 * Derives the secrets from the key ring. The version comes from the key itself, not from its place in the
 * ring, so that a key opens the values it sealed as long as the ring holds it.
 * @param secretKeys newest first
 */
export function versionedSecrets(
  secretKeys: readonly Uint8Array[],
): readonly [VersionedSecret, ...VersionedSecret[]] {
  const secrets = secretKeys.map((key) => ({
    version: Buffer.from(derive(key, 'version', VERSION_BYTES)).readUInt32BE(),
    value: Buffer.from(derive(key, 'secret', SECRET_BYTES)).toString('base64url'),
  }));
  const [newest, ...older] = secrets.filter(
    ({ version }, index) => secrets.findIndex((other) => other.version === version) === index,
  );
  if (newest === undefined) throw new TypeError('accounts need at least one secret key');
  return [newest, ...older];
}

/**
 * Returns the version of the secret, which stands before a sealed value: `$ba$version$…`; NaN for any other text.
 */
export function versionOf(sealed: string): number {
  return Number(/^\$ba\$(\d+)\$/.exec(sealed)?.[1] ?? Number.NaN);
}

/** Derives one key per purpose with HKDF (RFC 5869), so that a leaked key reveals none of the others. */
function derive(key: Uint8Array, purpose: string, bytes: number): ArrayBuffer {
  return hkdfSync('sha256', key, '', `countersign accounts ${purpose}`, bytes);
}
