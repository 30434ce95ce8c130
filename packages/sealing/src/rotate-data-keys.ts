import type { DataKeyEntry, DataKeyRepository } from '@countersign/domain/storage';
import type { KeyWrapping } from './key-wrapping.ts';
import { type RewrapOptions, rewrapAll } from './rewrap-all.ts';

/** The data keys to re-wrap, and the keys that wrap them. */
export interface RotationOptions extends RewrapOptions {
  readonly dataKeys: Pick<DataKeyRepository, 'countNotWrappedBy' | 'listNotWrappedBy' | 'replace'>;
  readonly keys: KeyWrapping;
}

/**
 * Re-wraps every data key that an older key wrapped with the newest key. Values sealed with the data keys stay
 * unchanged. Safe to run beside servers and beside another rotation. After an interruption, the next call continues
 * where it stopped.
 * @returns the number of data keys that this call re-wrapped
 * @throws SealingError `ROTATION_INCOMPLETE` if data keys cannot be unwrapped, or if a server keeps wrapping with
 * another key; all other data keys are re-wrapped, and the first fault is the cause. Also throws the errors of the
 * repository.
 */
export function rotateDataKeys({ dataKeys, keys, ...options }: RotationOptions): Promise<{
  readonly rewrapped: number;
}> {
  return rewrapAll<DataKeyEntry>(
    {
      name: 'data key',
      wrappedBy: ({ dataKey }) => dataKey.wrappedBy,
      count: () => dataKeys.countNotWrappedBy(keys.newest),
      list: (after, limit) => dataKeys.listNotWrappedBy(keys.newest, after?.verificationId ?? null, limit),
      async rewrap({ clientId, verificationId, dataKey: expected }) {
        const context = { clientId, verificationId };
        const next = await keys.wrap(await keys.unwrap(expected, context), context);
        return dataKeys.replace({ ...context, expected, next });
      },
    },
    options,
  );
}
