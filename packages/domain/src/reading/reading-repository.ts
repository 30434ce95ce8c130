import type { EvidencePlace } from '../evidence/evidence-store.ts';
import type { JsonObject } from '../input/json.ts';

/** A reading as a storage keeps it. The key is the file of a verification. */
export interface ReadingRecord extends EvidencePlace {
  /** The version of the reader that read the picture. */
  readonly readerVersion: string;
  readonly readAt: Date;
  /** Personal data: what was read, and the SHA-256 of the picture. Opaque to storages. */
  readonly data: JsonObject;
}

/**
 * Stores readings: at most one of each file. `RetentionRepository.erase` deletes those of a verification in the step that removes its
 * data. Each operation is atomic. Ids come from addresses unchecked: a text that cannot be an id finds nothing.
 */
export interface ReadingRepository {
  /**
   * Stores a reading, which replaces the one of its file, if the verification has exactly this version and its erasure has not begun.
   * The version stays: no form gets a conflict from it.
   *
   * Concurrency: a commit or an erasure of the same verification at the same time comes before it or after it. Of two readings of one
   * file at once, the later one stays.
   * @returns whether it was stored; false and no change if the client has no such verification, or it has another version or an erasure
   */
  save(reading: ReadingRecord, expectedVersion: number): Promise<boolean>;

  /** Finds the readings of a verification in the order of their file ids. */
  find(verification: Pick<ReadingRecord, 'clientId' | 'verificationId'>): Promise<readonly ReadingRecord[]>;

  /** Deletes the readings of files. A file without a reading is no error. */
  remove(places: readonly EvidencePlace[]): Promise<void>;
}
