import type { TransferEntries, TransferKey, TransferKind } from './transfer-entries.ts';

/** A storage whose whole content can be read, whoever it belongs to: for moving an installation to another database. */
export interface TransferSource {
  count(kind: TransferKind): Promise<number>;
  /**
   * Up to `limit` entries in the order of their keys, from the first one after `after` on, or from the very first.
   * Fewer than `limit` are given only at the end.
   */
  read<K extends TransferKind>(
    kind: K,
    after: TransferKey | null,
    limit: number,
  ): Promise<readonly TransferEntries[K][]>;
}

/**
 * A storage that a copy is made into. From `begin` until `finish` it says of itself that it holds a part of something:
 * to open it for any other use, and `Storage.ping`, is refused, even if the process that copies is long dead.
 */
export interface TransferTarget extends TransferSource {
  /** Whether a copy was begun here and not finished. */
  hasUnfinishedCopy(): Promise<boolean>;
  /** Marks the storage as holding an unfinished copy. Beginning twice is no error. */
  begin(): Promise<void>;
  /**
   * Keeps all of these new entries or none of them, and is safe on the disk when it returns. Rejects, and has changed
   * nothing, where one is there already or breaks a rule of the storage.
   */
  write<K extends TransferKind>(kind: K, entries: readonly TransferEntries[K][]): Promise<void>;
  /** Prepares what was written for use and takes the mark away, in one step. */
  finish(): Promise<void>;
}
