/**
 * The key that the personal data of one verification is encrypted with, itself encrypted ("wrapped") by another key.
 * A storage that seals makes and reads it; the domain and other storages only keep it.
 */
export interface WrappedDataKey {
  /** Names the key that wrapped it. 1–64 printable ASCII characters. */
  readonly wrappedBy: string;
  /** base64url, at most 2 KiB. */
  readonly wrapped: string;
}

/** A data key and the verification it belongs to. */
export interface DataKeyEntry {
  readonly clientId: string;
  readonly verificationId: string;
  readonly dataKey: WrappedDataKey;
}

/** Stores the data keys of verifications, for the rotation of keys. Each operation is atomic. */
export interface DataKeyRepository {
  /** Finds the data key of the client's verification; null if the verification is unknown or has no data key. */
  find(clientId: string, verificationId: string): Promise<WrappedDataKey | null>;

  /**
   * Lists one data key of each key that wraps any, in any order: of at most `limit` keys. Servers call it each time they start, so
   * its time must depend on the number of wrapping keys, not of verifications.
   */
  listOneOfEachKey(limit: number): Promise<readonly DataKeyEntry[]>;

  /** Counts the data keys wrapped by other keys than this one. */
  countNotWrappedBy(key: string): Promise<number>;

  /**
   * Lists up to `limit` data keys wrapped by other keys than this one, ordered by `verificationId`, that come after the
   * verification given; null starts from the first.
   */
  listNotWrappedBy(key: string, after: string | null, limit: number): Promise<readonly DataKeyEntry[]>;

  /**
   * Replaces the data key `expected`, null for none, by `next`. Nothing else changes, the version included: a concurrent
   * `commit` of the verification and this call keep both their changes. For an unknown verification, another client's, or
   * one whose data is erased (`erasureNumber`), the outcome is `conflict`: a destroyed key stays destroyed.
   *
   * Concurrency: of calls with one `expected`, the first wins; the others receive `conflict` and change nothing.
   */
  replace(change: {
    readonly clientId: string;
    readonly verificationId: string;
    readonly expected: WrappedDataKey | null;
    readonly next: WrappedDataKey;
  }): Promise<{ readonly outcome: 'replaced' } | { readonly outcome: 'conflict' }>;
}
