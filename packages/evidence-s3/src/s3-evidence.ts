import type { EvidenceStore } from '@countersign/domain/evidence';
import type { StoredFiles } from '@countersign/evidence-format';
import { type BucketOptions, createBucket } from './bucket.ts';
import { probe, type S3Facts } from './probe.ts';
import { createStore } from './s3-evidence-store.ts';
import { textOf } from './s3-place.ts';
import { createStoredFiles } from './s3-stored-files.ts';

/** Evidence in a bucket. */
export interface S3Evidence {
  /** Stores the files of verifications. Its calls reject with `SERVICE_UNAVAILABLE` while the bucket does not work. */
  readonly store: EvidenceStore;
  /** The files as they are stored, for backups, copies and checks. */
  readonly files: StoredFiles;
  /**
   * Checks that bucket, region, credentials and rights are right, by writing, reading and deleting a test object.
   * @throws S3EvidenceError in one line for operators
   */
  probe(): Promise<S3Facts>;
  /** Closes the connections. */
  close(): void;
}

/**
 * Stores files of evidence in a bucket of S3 or of a compatible object storage, as `prefix/client/verification/file`. Several
 * processes may share it. A file is written whole and never replaces another one (`If-None-Match`), in parts if it is large, and
 * with a checksum that the object storage verifies. Failed calls are repeated, and each has a deadline. Listing also deletes parts
 * of uploads that never ended. During a hold, `delete` leaves the file, and `listWrittenBefore` lists none.
 *
 * Nothing is sent before the first call.
 */
export function createS3Evidence(options: BucketOptions): S3Evidence {
  const bucket = createBucket(options);
  const place = textOf(options);
  return {
    store: createStore(bucket),
    files: createStoredFiles(bucket, place),
    probe: () => probe(bucket, place),
    close: bucket.close,
  };
}
