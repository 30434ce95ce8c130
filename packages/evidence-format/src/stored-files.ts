import type { EvidencePlace } from '@countersign/domain/evidence';

/** One stored file. */
export interface StoredFile {
  /** `client/verification/file` */
  readonly path: string;
  /** Size as stored: sealed, with its header. */
  readonly bytes: number;
}

/** Keeps the files of a store from being deleted. */
export interface DeletionHold {
  /** Allows deletions again. Calling it twice is harmless. */
  release(): Promise<void>;
}

/** What a store of evidence offers to backups, copies and checks, beside `EvidenceStore`: its files as they are stored. */
export interface StoredFiles {
  /** Where the files are, in words for operators: a folder, or a bucket with its prefix. */
  readonly place: string;
  /** Lists every stored file, in any order, also during a hold. Other files are left out. */
  list(): AsyncIterable<StoredFile>;
  /**
   * Returns the sizes of the contents of a verification's files, by file id. Reads no content. A file that was cut off can
   * have fewer than 0 bytes.
   */
  contentBytesOf(
    verification: Pick<EvidencePlace, 'clientId' | 'verificationId'>,
  ): Promise<ReadonlyMap<string, number>>;
  /** Returns the bytes of a stored file in chunks, or null if there is none. */
  read(path: string): Promise<AsyncIterable<Uint8Array> | null>;
  /**
   * Stores the bytes of a file of another store, whole or not at all. They are durable when this resolves.
   * @param options.replace whether the file may replace one
   * @returns false if there is a file at the path, which may not be replaced
   */
  write(
    path: string,
    chunks: AsyncIterable<Uint8Array>,
    options?: { readonly replace?: boolean },
  ): Promise<boolean>;
  /**
   * Holds back deletions by all processes and machines that share the store until `release`. The hold of a killed process ends after
   * ten minutes.
   */
  holdDeletions(): Promise<DeletionHold>;
}
