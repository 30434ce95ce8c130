import { type Pair, pairsOf } from './pairs.ts';
import { notEqual, requireSame } from './require-same.ts';
import { TRANSFER_KINDS, type TransferEntries, type TransferKind } from './transfer-entries.ts';
import type { TransferSource, TransferTarget } from './transfer-ports.ts';
import { writeOrName } from './write-or-name.ts';

/** How far a copy is. `check` looks at what the target holds already, `verify` compares all of it in the end. */
export interface CopyProgress {
  readonly phase: 'check' | 'copy' | 'verify';
  readonly kind: TransferKind;
  /** Entries of the source that are dealt with. */
  readonly done: number;
  readonly total: number;
}

/** For each kind, how many entries source and target hold, and how many of them were written now. */
export type CopyResult = { readonly [K in TransferKind]: { readonly rows: number; readonly written: number } };

export interface CopyOptions {
  /** Nobody may write to it meanwhile. */
  readonly from: TransferSource;
  readonly to: TransferTarget;
  /** Is told of each batch. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
  /** Entries that are read or written at once; default 500. */
  readonly batchSize?: number | undefined;
}

const BATCH_SIZE = 500;

/**
 * Copies all that a storage holds into an empty one, and compares the two entry by entry when it is done. A copy that
 * was broken off anywhere goes on when it is called again: what is there and equal stays, what is missing is written.
 * Nothing is ever overwritten. A finished copy is compared and left as it is.
 * @throws CopyError
 */
export async function copyStorage(options: CopyOptions): Promise<CopyResult> {
  const { from, to } = options;
  const walk = await createWalk(options);

  const isUnfinished = await to.hasUnfinishedCopy();
  if (!(await isEmpty(to))) {
    // Before anything is written: a target that holds something else stays as it is.
    const mayLack = isUnfinished;
    for (const kind of TRANSFER_KINDS) {
      await walk(kind, 'check', (pair) => {
        if (pair.source !== undefined && pair.target === undefined && mayLack) return;
        requireSame(kind, pair, 'target_in_use');
      });
    }
    if (!isUnfinished) return resultOf(from, () => 0);
  }

  await to.begin();
  const written = new Map<TransferKind, number>();
  for (const kind of TRANSFER_KINDS) written.set(kind, await copyKind(kind, options, walk));
  for (const kind of TRANSFER_KINDS) await walk(kind, 'verify', (pair) => requireSame(kind, pair, 'not_equal'));
  await requireSameCounts(options);
  await to.finish();
  return resultOf(to, (kind) => written.get(kind) ?? 0);
}

type Visit<K extends TransferKind> = (pair: Pair<K>) => void | Promise<void>;
type Walk = <K extends TransferKind>(kind: K, phase: CopyProgress['phase'], visit: Visit<K>) => Promise<void>;

/** Goes through both storages side by side, and tells of it once a batch and in the end. */
async function createWalk({ from, to, onProgress, batchSize = BATCH_SIZE }: CopyOptions): Promise<Walk> {
  const totals = new Map<TransferKind, number>();
  for (const kind of TRANSFER_KINDS) totals.set(kind, await from.count(kind));
  return async (kind, phase, visit) => {
    const total = totals.get(kind) ?? 0;
    let done = 0;
    for await (const pair of pairsOf(kind, { from, to, limit: batchSize })) {
      await visit(pair);
      if (pair.source === undefined) continue;
      done += 1;
      if (done % batchSize === 0 && done < total) onProgress?.({ phase, kind, done, total });
    }
    onProgress?.({ phase, kind, done, total });
  };
}

/** @returns how many were missing */
async function copyKind(kind: TransferKind, options: CopyOptions, walk: Walk): Promise<number> {
  const { to, batchSize = BATCH_SIZE } = options;
  let written = 0;
  let missing: TransferEntries[TransferKind][] = [];
  const flush = async (): Promise<void> => {
    const batch = missing;
    missing = [];
    if (batch.length > 0) await writeOrName(kind, batch, to);
    written += batch.length;
  };
  await walk(kind, 'copy', async (pair) => {
    const { source, target } = pair;
    if (source === undefined || target !== undefined) return requireSame(kind, pair, 'not_equal');
    missing.push(source);
    if (missing.length >= batchSize) await flush();
  });
  await flush();
  return written;
}

async function requireSameCounts({ from, to }: CopyOptions): Promise<void> {
  for (const kind of TRANSFER_KINDS) {
    const [expected, counted] = [await from.count(kind), await to.count(kind)];
    if (expected === counted) continue;
    throw notEqual(`${counted} instead of ${expected} ${kind}`);
  }
}

async function isEmpty(storage: TransferSource): Promise<boolean> {
  for (const kind of TRANSFER_KINDS) if ((await storage.count(kind)) > 0) return false;
  return true;
}

async function resultOf(storage: TransferSource, writtenOf: (kind: TransferKind) => number): Promise<CopyResult> {
  const entryOf = async (kind: TransferKind): Promise<{ rows: number; written: number }> => ({
    rows: await storage.count(kind),
    written: writtenOf(kind),
  });
  return {
    clients: await entryOf('clients'),
    usage: await entryOf('usage'),
    verifications: await entryOf('verifications'),
    events: await entryOf('events'),
    audit: await entryOf('audit'),
    apiKeys: await entryOf('apiKeys'),
  };
}
