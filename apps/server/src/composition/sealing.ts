import type { Sealing } from '@countersign/domain/storage';
import { createKeyRing, createSealing, type KeyWrapping } from '@countersign/sealing';
import { ensureDataDirectory } from '../config/data-directory.ts';
import { SettingError } from '../config/errors.ts';
import { keptSecretKeysIn, secretKeysFileIn, secretKeysIn } from '../config/secret-keys.ts';
import type { SealingSettings } from '../config/settings.ts';

type RingSettings = Pick<SealingSettings, 'secretKeys' | 'dataDir'>;

/** Returns a server's secrets: `SECRET_KEYS`, or the ring in the data directory, created on the first start. */
export function secretKeysToServe({ secretKeys, dataDir }: RingSettings): readonly Uint8Array[] {
  if (secretKeys !== undefined) return secretKeys;
  ensureDataDirectory(dataDir);
  return secretKeysIn(dataDir);
}

/** Names the place of the servers' secrets: the variable, or the file in the data directory. */
export function secretKeysName({ secretKeys, dataDir }: RingSettings): string {
  return secretKeys === undefined ? secretKeysFileIn(dataDir) : 'SECRET_KEYS';
}

/** Returns the servers' secrets for a command, which creates none. Undefined when they are not known here. */
export function knownSecretKeys({ secretKeys, dataDir }: RingSettings): readonly Uint8Array[] | undefined {
  return secretKeys ?? keptSecretKeysIn(dataDir);
}

/** Returns the names of lost secrets without those that the ring has: they were found again. */
export function stillLost(lost: readonly string[], ring: readonly Uint8Array[]): readonly string[] {
  const known = ring.map((secret) => createKeyRing([secret]).newest);
  return lost.filter((name) => !known.includes(name));
}

/** Returns the servers' secrets. @throws SettingError when they are not known here */
export function requiredSecretKeys(settings: RingSettings): readonly Uint8Array[] {
  const ring = knownSecretKeys(settings);
  if (ring !== undefined) return ring;
  throw new SettingError(
    'SECRET_KEYS',
    `is not set, and ${settings.dataDir} has no secret-keys file: expected the secrets of the servers, newest first`,
  );
}

/** A secret that opened a data key: the one that wraps new ones, or one that was rotated out. */
export type UsedSecret = 'newest' | 'older';

/**
 * Creates the sealing of personal data with the newest secret.
 * @param onUse receives the secret of each data key that is opened
 */
export function sealingWith(secretKeys: readonly Uint8Array[], onUse?: (secret: UsedSecret) => void): Sealing {
  const keys = createKeyRing(secretKeys);
  if (onUse === undefined) return createSealing({ keys });
  const unwrap: KeyWrapping['unwrap'] = (wrapped, context) => {
    onUse(wrapped.wrappedBy === keys.newest ? 'newest' : 'older');
    return keys.unwrap(wrapped, context);
  };
  return createSealing({ keys: { ...keys, unwrap } });
}
