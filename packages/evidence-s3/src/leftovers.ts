import { isEvidencePath } from '@countersign/evidence-format';
import type { Bucket } from './bucket.ts';
import { PROBES } from './probe.ts';

/** Age of an upload that never ended, and of a test object that was not deleted: no call takes this long. */
const ABANDONED_AFTER_MS = 60 * 60 * 1_000;

/**
 * Deletes what killed processes left behind: parts of uploads that never ended, and test objects. Ages are by the object storage's
 * clock, which is known after any other call. Objects of other programs in the bucket are left alone.
 */
export async function deleteLeftovers(bucket: Bucket): Promise<void> {
  const before = Date.now() + bucket.clockDifference().clockDifferenceMs - ABANDONED_AFTER_MS;
  for await (const upload of bucket.unfinishedUploads()) {
    const isOwn = isEvidencePath(upload.name) || upload.name.startsWith(PROBES);
    if (isOwn && upload.begun.getTime() < before) await bucket.abortUpload(upload);
  }
  for await (const { name, modified } of bucket.list(PROBES)) {
    if (modified.getTime() < before) await bucket.delete(name);
  }
}
