import { isCountersignError } from '../errors.ts';
import {
  compareTransferKeys,
  type TransferEntries,
  type TransferKey,
  type TransferKind,
  type TransferSource,
  type TransferTarget,
  transferKeyOf,
} from './transfer.ts';

/** Why a copy was refused or ended. */
export type CopyErrorCode =
  /** The target is neither empty nor a copy of the source. Nothing was changed. */
  | 'target_in_use'
  /** The target refuses an entry of the source. Copied entries stay; the target is not served. */
  | 'entry_refused'
  /** Target and source differ, because one of them changed during the copy. The target is not served. */
  | 'not_equal';

/** Why a copy failed. The message is one line for the operator; it names an entry by its key and quotes no value. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
  readonly code: CopyErrorCode;

  constructor(code: CopyErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The entries of both storages under one key; at least one of them is there. */
export interface Pair<K extends TransferKind> {
  readonly key: TransferKey;
  readonly source: TransferEntries[K] | undefined;
  readonly target: TransferEntries[K] | undefined;
}

/** Walks both storages in the order of their keys. At most `limit` entries of each are in memory. */
export async function* pairsOf<K extends TransferKind>(
  kind: K,
  { from, to, limit }: { from: TransferSource; to: TransferSource; limit: number },
): AsyncGenerator<Pair<K>, void, undefined> {
  const sources = entriesOf(kind, from, limit);
  const targets = entriesOf(kind, to, limit);
  let [source, target] = await Promise.all([sources.next(), targets.next()]);
  for (;;) {
    const order = source.done ? 1 : target.done ? -1 : compareTransferKeys(source.value.key, target.value.key);
    const pair = order <= 0 ? source.value : target.value;
    if (pair === undefined) return;
    yield {
      key: pair.key,
      source: order <= 0 ? source.value?.entry : undefined,
      target: order >= 0 ? target.value?.entry : undefined,
    };
    if (order <= 0) source = await sources.next();
    if (order >= 0) target = await targets.next();
  }
}

async function* entriesOf<K extends TransferKind>(
  kind: K,
  storage: TransferSource,
  limit: number,
): AsyncGenerator<{ key: TransferKey; entry: TransferEntries[K] }, void, undefined> {
  let after: TransferKey | null = null;
  for (;;) {
    const page: readonly TransferEntries[K][] = await storage.read(kind, after, limit);
    for (const entry of page) {
      const key = transferKeyOf(kind, entry);
      // In a storage with another order, entries would be overlooked.
      if (after !== null && compareTransferKeys(after, key) >= 0)
        throw new Error(`${kind} are not in the order of their keys`);
      after = key;
      yield { key, entry };
    }
    if (page.length < limit) return;
  }
}

/**
 * Checks that both storages hold the same entry.
 * @throws CopyError that names the entry by its key
 */
export function requireSame<K extends TransferKind>(
  kind: K,
  { key, source, target }: Pair<K>,
  code: keyof typeof CONSEQUENCE,
): void {
  if (isSameValue(source, target)) return;
  const name = entryName(kind, key);
  const what =
    target === undefined
      ? `${name} is missing`
      : source === undefined
        ? `${name} is not in the source`
        : `${name} differs`;
  throw new CopyError(code, `${CONSEQUENCE[code]}: ${what}`);
}

/**
 * Makes the error for storages that differ.
 * @param what the difference, without any value
 */
export function notEqual(what: string): CopyError {
  return new CopyError('not_equal', `${CONSEQUENCE.not_equal}: ${what}`);
}

const CONSEQUENCE = {
  target_in_use: 'The target is neither empty nor a copy of the source; nothing was changed',
  not_equal: 'The copy differs from its source and must not be served',
} as const;

/**
 * Writes entries as one batch. If the target refuses it, halves the batch to find the first refused entry; the entries
 * before that one stay written.
 * @throws CopyError `entry_refused` that names the entry
 */
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

/** The database's error code; its message might quote a value. */
function reasonOf(cause: unknown): string {
  const { code } = Object(cause) as { readonly code?: unknown };
  return typeof code === 'string' ? ` (${code})` : '';
}

const WORDS: { readonly [K in TransferKind]: string } = {
  clients: 'client',
  clientFaces: 'appearance of client',
  clientRetention: 'retention of client',
  usage: 'usage of client',
  verifications: 'verification',
  events: 'event of verification',
  exports: 'export of client',
  handOvers: 'hand-over code of client',
  readings: 'reading of client',
  indexKeys: 'index key of client',
  indexedVerifications: 'index of client',
  indexEntries: 'label of client',
  mails: 'mail',
  mailBudgets: 'budget of mails',
  webhookEndpoints: 'webhook endpoint of client',
  webhookDeliveries: 'webhook delivery of client',
  webhookAttempts: 'webhook attempt of client',
  erasures: 'erasure',
  erasureLogs: 'erasure log',
  retentionRuns: 'retention run',
  audit: 'audit entry',
  apiKeys: 'key of client',
};

/** Names an entry for the operator: its kind and its key. */
function entryName(kind: TransferKind, key: TransferKey): string {
  return `${WORDS[kind]} ${key.join(' ')}`;
}

/** Whether two values of plain objects, arrays, dates and scalars are equal; the order of fields does not matter. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Date || b instanceof Date) {
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime();
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const fields = Object.keys(a);
  return (
    fields.length === Object.keys(b).length &&
    fields.every((field) => Object.hasOwn(b, field) && isSameValue(fieldOf(a, field), fieldOf(b, field)))
  );
}

function fieldOf(value: object, field: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[field];
}
