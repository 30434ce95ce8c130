import type { IndexKey, IndexRepository } from '@countersign/domain/storage';
import type { IndexKeyContext, KeyWrapping } from './key-wrapping.ts';
import { type RewrapOptions, rewrapAll } from './rewrap-all.ts';
import { markSealed, requireUnsealed } from './sealed-repositories.ts';
import { rewrapSecret, sealSecret, unsealSecret } from './sealed-secret.ts';

/** Number of decrypted keys that are kept, each of a client. */
const OPENED_KEYS = 1_000;

/**
 * Wraps a repository: the keys of clients are encrypted with the newest key on the way in and decrypted on the way out. A key opens only
 * for its client and version. Labels pass through: they are made with the keys.
 *
 * A key that cannot be decrypted stays in the list. Reading its `value` throws why: a SealingError, or `SERVICE_UNAVAILABLE` if another
 * server may hold the key.
 */
export function createSealedIndexes(inner: IndexRepository, keys: KeyWrapping): IndexRepository {
  requireUnsealed(inner);
  /** The values of keys that were decrypted, by what is stored of them. A submission reads its client's keys. */
  const opened = new Map<string, string>();

  async function unseal(key: IndexKey): Promise<IndexKey> {
    const stored = JSON.stringify([key.clientId, key.version, key.wrappedBy, key.value]);
    const known = opened.get(stored);
    if (known !== undefined) return { ...key, value: known, wrappedBy: null };
    const unsealed = await unsealSecret(key, contextOf(key), keys);
    const isReadable = Object.getOwnPropertyDescriptor(unsealed, 'value')?.get === undefined;
    if (!isReadable) return unsealed;
    const [oldest] = opened.size < OPENED_KEYS ? [] : opened.keys();
    if (oldest !== undefined) opened.delete(oldest);
    opened.set(stored, unsealed.value);
    return unsealed;
  }

  const sealed: IndexRepository = {
    keys: async (clientId) => Promise.all((await inner.keys(clientId)).map(unseal)),
    addKey: async (key) => inner.addKey({ ...key, ...(await sealSecret(key, contextOf(key), keys)) }),
    removeKey: (key) => inner.removeKey(key),
    find: (request) => inner.find(request),
    save: (verification, labels, expectedVersion) => inner.save(verification, labels, expectedVersion),
    listBehind: (request) => inner.listBehind(request),
    countBehind: (request) => inner.countBehind(request),
    countKeysNotWrappedBy: (key) => inner.countKeysNotWrappedBy(key),
    listKeysNotWrappedBy: (key, after, limit) => inner.listKeysNotWrappedBy(key, after, limit),
    replaceKey: (stored, next) => inner.replaceKey(stored, next),
  };
  markSealed(sealed);
  return sealed;
}

/** The index keys to re-wrap, and the keys that wrap them. */
export interface IndexKeyRotationOptions extends RewrapOptions {
  /** As its factory returned it, not sealed. */
  readonly indexes: Pick<IndexRepository, 'countKeysNotWrappedBy' | 'listKeysNotWrappedBy' | 'replaceKey'>;
  readonly keys: KeyWrapping;
}

/**
 * Re-wraps every index key of a client that an older key encrypted with the newest key, and encrypts plain ones. Labels stay the
 * same. Otherwise as `rotateDataKeys`.
 * @returns the number of index keys that this call re-wrapped
 * @throws SealingError `ROTATION_INCOMPLETE`, as `rotateDataKeys`
 */
export function rotateIndexKeys({ indexes, keys, ...options }: IndexKeyRotationOptions): Promise<{
  readonly rewrapped: number;
}> {
  return rewrapAll<IndexKey>(
    {
      name: 'index key',
      wrappedBy: ({ wrappedBy }) => wrappedBy,
      count: () => indexes.countKeysNotWrappedBy(keys.newest),
      list: (after, limit) => indexes.listKeysNotWrappedBy(keys.newest, after, limit),
      rewrap: async (key) => indexes.replaceKey(key, await rewrapSecret(key, contextOf(key), keys)),
    },
    options,
  );
}

function contextOf({ clientId, version }: IndexKey): IndexKeyContext {
  return { clientId, indexKeyVersion: version };
}
