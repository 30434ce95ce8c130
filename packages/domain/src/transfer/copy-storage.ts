import { notEqual, type Pair, pairsOf, requireSame, writeOrName } from './compare-storages.ts';
import {
  TRANSFER_KINDS,
  type TransferEntries,
  type TransferKind,
  type TransferSource,
  type TransferTarget,
} from './transfer.ts';

/** Progress of a copy. `check` compares what the target already holds, `verify` compares everything at the end. */
export interface CopyProgress {
  readonly phase: 'check' | 'copy' | 'verify';
  readonly kind: TransferKind;
  /** Entries of the source handled so far. */
  readonly done: number;
  readonly total: number;
}

/** Per kind: how many entries both storages hold, and how many this call wrote. */
export type CopyResult = { readonly [K in TransferKind]: { readonly rows: number; readonly written: number } };

/** Source and target of a copy. */
export interface CopyOptions {
  /** Must not change during the copy; stop the servers first. */
  readonly from: TransferSource;
  readonly to: TransferTarget;
  /** Called after each batch. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
  /** Entries read or written together; default 500. */
  readonly batchSize?: number | undefined;
}

const BATCH_SIZE = 500;

/**
 * Copies the whole content of a storage into an empty one and compares the two entry by entry at the end. An interrupted
 * copy continues when it is called again: equal entries stay, missing ones are written, none is overwritten. A finished
 * copy is only compared.
 * @throws CopyError
 *
 * @example
 * const from = await createSqliteTransferSource({ file: 'data/countersign.db' });
 * const to = await createPostgresTransferTarget({ url: 'postgres://countersign:secret@localhost/countersign' });
 * const { verifications } = await copyStorage({ from, to });
 * console.log(`${verifications.written} of ${verifications.rows} verifications written`);
 */
export async function copyStorage(options: CopyOptions): Promise<CopyResult> {
  const { from, to } = options;
  const walk = await createWalk(options);

  const isUnfinished = await to.hasUnfinishedCopy();
  if (!(await isEmpty(to))) {
    // Before the first write, so that a target with other content stays unchanged.
    const mayLack = isUnfinished;
    for (const kind of TRANSFER_KINDS) {
      await walk(kind, 'check', (pair) => {
        if (pair.target === undefined && mayLack) return;
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

/** Walks both storages side by side and reports progress after each batch and at the end. */
async function createWalk({ from, to, onProgress, batchSize = BATCH_SIZE }: CopyOptions): Promise<Walk> {
  const totals = new Map<TransferKind, number>();
  for (const kind of TRANSFER_KINDS) totals.set(kind, await from.count(kind));
  return async (kind, phase, visit) => {
    const total = totals.get(kind) ?? 0;
    let done = 0;
    for await (const pair of pairsOf(kind, { from, to, limit: batchSize })) {
      await visit(pair);
      done += 1;
      if (done % batchSize === 0 && done < total) onProgress?.({ phase, kind, done, total });
    }
    onProgress?.({ phase, kind, done, total });
  };
}

/** @returns how many entries were missing and written */
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
  const entries = await Promise.all(TRANSFER_KINDS.map(async (kind) => [kind, await entryOf(kind)] as const));
  return Object.fromEntries(entries) as CopyResult;
}
