/**
 * The key that the personal data of one verification is encrypted with, itself encrypted ("wrapped") by another key.
 * Whoever seals makes and reads it; storages and the domain only keep it.
 */
export interface WrappedDataKey {
  /** Names the key that wrapped it. 1–64 printable ASCII characters. */
  readonly wrappedBy: string;
  /** base64url, at most 2 KiB. */
  readonly wrapped: string;
}

/** A verification's data key, and whose it is. */
export interface DataKeyEntry {
  readonly clientId: string;
  readonly verificationId: string;
  readonly dataKey: WrappedDataKey;
}

/** Data keys of verifications: what a rotation of keys goes through. Each operation is atomic in itself. */
export interface DataKeyRepository {
  /** The data key of a verification of this client, or null: of an unknown one, and of one that never needed a key. */
  find(clientId: string, verificationId: string): Promise<WrappedDataKey | null>;

  /** How many data keys other keys than this one have wrapped. */
  countNotWrappedBy(key: string): Promise<number>;

  /**
   * Up to `limit` data keys that other keys than this one have wrapped, in the order of `verificationId`, after the
   * verification given, or from the first one on.
   */
  listNotWrappedBy(key: string, after: string | null, limit: number): Promise<readonly DataKeyEntry[]>;

  /**
   * Puts `next` in the place of `expected`, which is null where the verification has no data key yet, and touches
   * nothing else, not even the version: a change of the verification at the same time goes its own way, and neither
   * undoes the other. Of several at once with one `expected`, one replaces; the others get `conflict` and change
   * nothing, as does one for an unknown verification or another client's.
   */
  replace(change: {
    readonly clientId: string;
    readonly verificationId: string;
    readonly expected: WrappedDataKey | null;
    readonly next: WrappedDataKey;
  }): Promise<{ readonly outcome: 'replaced' } | { readonly outcome: 'conflict' }>;
}
