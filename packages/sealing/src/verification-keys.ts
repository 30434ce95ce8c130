import { createSecretKey, type KeyObject } from 'node:crypto';
import type { DataKeyRepository, WrappedDataKey } from '@countersign/domain/storage';
import { KEY_BYTES } from './cipher.ts';
import type { DataKeyContext, KeyWrapping } from './key-wrapping.ts';
import { freshRandomBytes } from './random-bytes.ts';
import { SealingError } from './sealing-error.ts';

/** A data key that is not stored yet. `wrapped` is a promise if wrapping takes a while. */
export interface NewDataKey {
  readonly dataKey: KeyObject;
  readonly wrapped: WrappedDataKey | Promise<WrappedDataKey>;
}

/** The unwrapped data keys of verifications. */
export interface VerificationKeys {
  /** Makes a new data key without storing it. */
  make(context: DataKeyContext): NewDataKey;
  /** Unwraps a data key. @throws SealingError */
  unwrap(wrapped: WrappedDataKey, context: DataKeyContext): Promise<KeyObject>;
  /** Returns the stored data key; null if the verification has none. @throws SealingError */
  find(context: DataKeyContext): Promise<KeyObject | null>;
  /**
   * Returns the stored data key, or makes and stores one. Calls at once get the same key. Null if the verification does
   * not exist.
   * @throws SealingError
   */
  findOrStore(context: DataKeyContext): Promise<KeyObject | null>;
}

export function createVerificationKeys(options: {
  readonly keys: KeyWrapping;
  readonly dataKeys: Pick<DataKeyRepository, 'find' | 'replace'>;
}): VerificationKeys {
  const { keys, dataKeys } = options;

  function make(context: DataKeyContext): NewDataKey {
    const dataKey = freshRandomBytes(KEY_BYTES);
    return { dataKey: createSecretKey(dataKey), wrapped: keys.wrap(dataKey, context) };
  }

  async function unwrap(wrapped: WrappedDataKey, context: DataKeyContext): Promise<KeyObject> {
    const dataKey = await keys.unwrap(wrapped, context);
    if (dataKey.byteLength === KEY_BYTES) return createSecretKey(dataKey);
    const { verificationId } = context;
    throw new SealingError('DAMAGED', `The data key of verification ${verificationId} has another length`, {
      verificationId,
    });
  }

  async function find(context: DataKeyContext): Promise<KeyObject | null> {
    const wrapped = await dataKeys.find(context.clientId, context.verificationId);
    return wrapped === null ? null : unwrap(wrapped, context);
  }

  return {
    make,
    unwrap,
    find,

    async findOrStore(context) {
      const stored = await find(context);
      if (stored !== null) return stored;
      const { clientId, verificationId } = context;
      const { dataKey, wrapped } = make(context);
      const next = await wrapped;
      const { outcome } = await dataKeys.replace({ clientId, verificationId, expected: null, next });
      // Another process wrote its data key first, or the verification does not exist.
      return outcome === 'replaced' ? dataKey : find(context);
    },
  };
}
