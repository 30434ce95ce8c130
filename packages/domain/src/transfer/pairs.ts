import {
  compareTransferKeys,
  type TransferEntries,
  type TransferKey,
  type TransferKind,
  transferKeyOf,
} from './transfer-entries.ts';
import type { TransferSource } from './transfer-ports.ts';

/** What two storages hold under one key. At least one of them holds something. */
export interface Pair<K extends TransferKind> {
  readonly key: TransferKey;
  readonly source: TransferEntries[K] | undefined;
  readonly target: TransferEntries[K] | undefined;
}

/** Both storages side by side, in the order of their keys. Of each, no more than `limit` entries are in memory. */
export async function* pairsOf<K extends TransferKind>(
  kind: K,
  { from, to, limit }: { from: TransferSource; to: TransferSource; limit: number },
): AsyncGenerator<Pair<K>, void, undefined> {
  const sources = entriesOf(kind, from, limit);
  const targets = entriesOf(kind, to, limit);
  let [source, target] = await Promise.all([sources.next(), targets.next()]);
  for (;;) {
    if (source.done && target.done) return;
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
      // Whoever sorts in another way than this would have entries overlooked.
      if (after !== null && compareTransferKeys(after, key) >= 0) throw new Error(`${kind} came out of order`);
      after = key;
      yield { key, entry };
    }
    if (page.length < limit) return;
  }
}
