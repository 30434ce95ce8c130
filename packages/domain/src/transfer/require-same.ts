import { CopyError } from './copy-error.ts';
import { entryName } from './entry-name.ts';
import type { Pair } from './pairs.ts';
import { isSameValue } from './same-value.ts';
import type { TransferKind } from './transfer-entries.ts';

/** @throws CopyError where the two are not equal, which names the entry by its key */
export function requireSame<K extends TransferKind>(
  kind: K,
  { key, source, target }: Pair<K>,
  code: keyof typeof CONSEQUENCE,
): void {
  if (source !== undefined && target !== undefined && isSameValue(source, target)) return;
  const name = entryName(kind, key);
  const what =
    target === undefined
      ? `${name} is missing in it`
      : source === undefined
        ? `${name} is in it and not in the source`
        : `${name} differs`;
  throw new CopyError(code, `${CONSEQUENCE[code]}: ${what}`);
}

/** @param what is wrong, without any value */
export function notEqual(what: string): CopyError {
  return new CopyError('not_equal', `${CONSEQUENCE.not_equal}: ${what}`);
}

const CONSEQUENCE = {
  target_in_use: 'The target is neither empty nor a copy of the source as it is now, and was left alone',
  not_equal: 'The copy is not equal to its source and must not be served',
} as const;
