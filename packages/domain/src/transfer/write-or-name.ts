import { isCountersignError } from '../errors.ts';
import { CopyError } from './copy-error.ts';
import { entryName } from './entry-name.ts';
import { type TransferEntries, type TransferKind, transferKeyOf } from './transfer-entries.ts';
import type { TransferTarget } from './transfer-ports.ts';

/** Of entries that are refused together, the first one that is refused alone is told; those before it are kept. */
export async function writeOrName<K extends TransferKind>(
  kind: K,
  entries: readonly TransferEntries[K][],
  to: TransferTarget,
): Promise<void> {
  try {
    await to.write(kind, entries);
  } catch (cause) {
    if (isCountersignError(cause)) throw cause;
    const [first] = entries;
    if (first === undefined) throw cause;
    if (entries.length === 1) {
      const name = entryName(kind, transferKeyOf(kind, first));
      throw new CopyError('entry_refused', `The target refuses ${name}${reasonOf(cause)}`, { cause });
    }
    const middle = Math.ceil(entries.length / 2);
    await writeOrName(kind, entries.slice(0, middle), to);
    await writeOrName(kind, entries.slice(middle), to);
  }
}

/** A database's own code says something and quotes nothing. */
function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}
