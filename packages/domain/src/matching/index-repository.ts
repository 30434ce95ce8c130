import type { IndexPurpose } from './index-terms.ts';

/** A key of a client that terms are labelled with. A client has none before its first submission. */
export interface IndexKey {
  readonly clientId: string;
  /** Counts the client's keys, from 1. The newest labels. */
  readonly version: number;
  /** 32 random bytes in base64, or the same encrypted by a storage that seals (@countersign/sealing). */
  readonly value: string;
  /** Names the key that encrypted `value`; null where it is not encrypted. */
  readonly wrappedBy: string | null;
}

/** A label of a term, which reveals the term only to those who have the key. */
export interface IndexLabel {
  readonly purpose: IndexPurpose;
  readonly label: string;
}

/** How a verification was labelled. */
export interface IndexVersions {
  /** The `IndexKey` of its labels. */
  readonly keyVersion: number;
  /** The rules of its terms (`INDEX_RULES_VERSION`). */
  readonly rulesVersion: number;
}

/** The labels of a verification, all of one key. */
export interface VerificationLabels extends IndexVersions {
  readonly labels: readonly IndexLabel[];
}

/** The versions that are stored when labels cannot be made. */
export interface KeptLabels extends IndexVersions {
  /** Null: the verification keeps its labels and their key, and only the version of the rules changes. */
  readonly labels: null;
}

/** A verification that is labelled, also one without any term. */
export interface IndexedVerification extends IndexVersions {
  readonly clientId: string;
  readonly verificationId: string;
}

/** A label to look for in the index of a client. */
export interface ClientLabel extends IndexLabel {
  readonly clientId: string;
}

/** A label of a verification. */
export interface IndexEntry extends ClientLabel {
  readonly verificationId: string;
}

/** The place of a key: those of its client and version. */
export type IndexKeyPlace = Pick<IndexKey, 'clientId' | 'version'>;

/**
 * Stores blind indexes: keys of clients, and labels of verifications. `VerificationRepository.commit` stores labels with a submission,
 * and `RetentionRepository.erase` deletes those of a verification in the step that removes its data. Each operation is atomic. A text that
 * cannot be an id finds nothing.
 */
export interface IndexRepository {
  /** Lists the keys of a client, the newest first. */
  keys(clientId: string): Promise<readonly IndexKey[]>;

  /**
   * Adds a key.
   *
   * Concurrency: of calls with one version, the first wins; the others change nothing.
   * @returns whether it was added; false if the client has a key of this version, or does not exist
   */
  addKey(key: IndexKey): Promise<boolean>;

  /**
   * Deletes a key that labels no verification and is not the client's newest.
   *
   * Concurrency: a commit or `save` that labels with the key comes before, and the key stays, or after, and is refused.
   * @returns whether it was deleted
   */
  removeKey(key: IndexKeyPlace): Promise<boolean>;

  /**
   * Finds verifications that have one of the labels, each in the index of its client. It returns at most `limit` for each label, the latest
   * by `verificationId` first. The cost grows with the labels and matches, not with the clients and their verifications.
   * @param request.except a verification that is left out
   */
  find(request: {
    readonly labels: readonly ClientLabel[];
    readonly except?: string | undefined;
    readonly limit: number;
  }): Promise<readonly IndexEntry[]>;

  /**
   * Replaces the labels of a verification, if it has exactly this version, does not wait for its subject (`ANSWERABLE_STATUSES`), and its
   * erasure has not begun. The version stays.
   *
   * Concurrency: a commit or an erasure of the same verification at the same time comes before it or after it. What waits for its subject
   * is labelled by its submission alone, so that no labels of earlier answers come after it.
   * @returns whether they were stored; false and no change otherwise, or if the client has no such key
   */
  save(
    verification: Pick<IndexedVerification, 'clientId' | 'verificationId'>,
    labels: VerificationLabels,
    expectedVersion: number,
  ): Promise<boolean>;

  /**
   * Lists up to `limit` verifications that are to be labelled again, ordered by `verificationId`: those that were submitted, do not
   * wait for their subject, and whose erasure has not begun, if they have no labels, or labels of another key than the client's newest or of
   * earlier rules.
   * @param request.clientId without it: of all clients
   * @param request.after the verification after which they come; null starts from the first
   */
  listBehind(request: {
    readonly rulesVersion: number;
    readonly clientId?: string | undefined;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly Pick<IndexedVerification, 'clientId' | 'verificationId'>[]>;

  /** Counts what `listBehind` lists. It may read all verifications, so it is not for requests. */
  countBehind(request: { readonly rulesVersion: number; readonly clientId?: string | undefined }): Promise<number>;

  /** Counts the keys that another key than this one encrypted, and those that are not encrypted. */
  countKeysNotWrappedBy(key: string): Promise<number>;

  /**
   * Lists up to `limit` of these keys, ordered by `clientId` and `version`. They come after the key given; null starts from the
   * first.
   */
  listKeysNotWrappedBy(key: string, after: IndexKeyPlace | null, limit: number): Promise<readonly IndexKey[]>;

  /**
   * Replaces a stored key by the same one, encrypted by another key.
   *
   * Concurrency: of calls with one stored key, the first wins; the others receive `conflict` and change nothing.
   */
  replaceKey(
    stored: IndexKey,
    next: Pick<IndexKey, 'value' | 'wrappedBy'>,
  ): Promise<{ readonly outcome: 'replaced' | 'conflict' }>;
}
