import type { Storage } from '@countersign/domain';
import { createKeyRing, createSealedStorage, type KeyWrapping } from '@countersign/sealing';
import { ensureDataDirectory } from '../config/data-directory.ts';
import { SettingError } from '../config/errors.ts';
import { keptSecretKeysIn, secretKeysIn } from '../config/secret-keys.ts';
import type { SealingSettings } from '../config/settings.ts';

type RingSettings = Pick<SealingSettings, 'secretKeys' | 'dataDir'>;

/** What a server signs and seals with. Where none is set, the ring in the data directory, made on the first start. */
export function secretKeysToServe({ secretKeys, dataDir }: RingSettings): readonly Uint8Array[] {
  if (secretKeys !== undefined) return secretKeys;
  ensureDataDirectory(dataDir);
  return secretKeysIn(dataDir);
}

/** The same for a command, which makes none; undefined where the servers' ring is not known here. */
export function knownSecretKeys({ secretKeys, dataDir }: RingSettings): readonly Uint8Array[] | undefined {
  return secretKeys ?? keptSecretKeysIn(dataDir);
}

/** @throws SettingError where the servers' ring is not known here */
export function requiredSecretKeys(settings: RingSettings): readonly Uint8Array[] {
  const ring = knownSecretKeys(settings);
  if (ring !== undefined) return ring;
  throw new SettingError(
    'SECRET_KEYS',
    `is not set, and there are none in ${settings.dataDir}: expected those of the servers, newest first`,
  );
}

/** A storage that seals what is known of people, and what it seals with. */
export function sealing(
  storage: Storage,
  secretKeys: readonly Uint8Array[],
): { readonly storage: Storage; readonly keys: KeyWrapping } {
  const keys = createKeyRing(secretKeys);
  return { storage: createSealedStorage(storage, { keys }), keys };
}
