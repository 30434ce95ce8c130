/** One entry of a store. */
export type StoredEntry = readonly [key: string, value: unknown];

/** A part of a store, in the order of its keys. */
export interface KeyRange {
  /** The first key that can be in the range. */
  readonly from: string;
  /** The range ends before this key. */
  readonly until: string;
  /** Whether the last key comes first. */
  readonly backwards: boolean;
  /** The most entries that are returned: whole, at least 1. */
  readonly limit: number;
}

/** What an operation reads of a store: everything as it was when the operation began. */
export interface StoreReads {
  /** Reads the value of a key; undefined without one. */
  get(key: string): unknown;
  /**
   * Reads the entries of a range in the order of their keys, up to its limit (at most 2,048). Fewer entries than the limit
   * mean that the range has ended: if the driver of a store returns fewer, the store asks it again.
   */
  range(range: KeyRange): Iterable<StoredEntry>;
}

/** Sets the value of a key, or deletes the key if `value` is undefined. */
export interface StoreWrite {
  readonly key: string;
  readonly value: unknown;
}

/** What an operation returns: its result, and the writes that the store makes before it returns the result. */
export interface StoreOutcome<R> {
  readonly result: R;
  /** No key occurs twice. A copy writes thousands in one batch. */
  readonly writes: Iterable<StoreWrite>;
}

/**
 * An ordered store of keys and values that reads synchronously, such as LMDB, SQLite, or the storage of a Durable Object.
 * `keyValueStoreContract` of @countersign/storage-contract tests an implementation.
 *
 * **Keys** are well-formed texts of 1 to 1,900 bytes in UTF-8, without NUL. Their order is that of their UTF-8 bytes, and that of JavaScript's
 * `<`: of the keys that the package makes, these are the same.
 *
 * **Values** are objects, arrays, texts, numbers, booleans and null, with dates and `Uint8Array`s in them. The store encodes them, or
 * keeps them as they are: nothing changes them later.
 *
 * @example
 * import type { KeyValueStore, StoredEntry } from '@countersign/storage-keyvalue';
 *
 * // A store without entries, which loses what is written. A real one writes `writes` in one transaction with `operation`.
 * const none: readonly StoredEntry[] = [];
 * const store: KeyValueStore = {
 *   run: async (operation) => operation({ get: () => undefined, range: () => none }).result,
 *   close: async () => undefined,
 * };
 */
export interface KeyValueStore {
  /**
   * Runs a synchronous operation while no other one runs or writes, also of another process; then writes everything that it returns, and
   * resolves with its result once that is durable. If the operation throws, or a write cannot be made, nothing is written and
   * the call rejects. A store that meets a conflict may run the operation again.
   */
  run<R>(operation: (reads: StoreReads) => StoreOutcome<R>): Promise<R>;
  /** Releases every resource. Called once, while no operation runs. */
  close(): Promise<void>;
}
