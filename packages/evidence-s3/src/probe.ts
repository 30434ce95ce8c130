import { randomBytes } from 'node:crypto';
import type { Bucket } from './bucket.ts';
import { describe, describeCredentials, S3EvidenceError } from './s3-evidence-error.ts';

/** Properties of a bucket that works. */
export interface S3Facts {
  /** Difference between the clocks of the object storage and of this machine. Positive when that of the object storage is ahead. */
  readonly clockDifferenceMs: number;
  /** Duration of a call. The clock difference is exact to half of it. */
  readonly roundTripMs: number;
  /** Whether the bucket keeps versions of deleted files; undefined where the credentials may not read it. */
  readonly keepsVersions: boolean | undefined;
}

/** Where test objects are written. No client has such a name. */
export const PROBES = '.probe/';

/**
 * Tries everything that the store does with a bucket: gets credentials, lists, writes, reads and deletes a test object, has the object
 * storage refuse to replace it, and begins and ends an upload in parts.
 * @throws S3EvidenceError
 */
export async function probe(bucket: Bucket, place: string): Promise<S3Facts> {
  const name = PROBES + randomBytes(16).toString('hex');
  const call = async <T>(doing: string, right: string, run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      throw describe(place, error, { doing, right });
    }
  };
  await bucket.findCredentials().catch((error: unknown) => {
    throw describeCredentials(place, error);
  });
  await call('list objects', 's3:ListBucket', () => first(bucket.list('')));
  await call('write objects', 's3:PutObject', () => bucket.put(name, new Uint8Array(1)));
  const again = await call('read objects', 's3:GetObject', () => bucket.put(name, new Uint8Array(1)));
  await call('read objects', 's3:GetObject', async () => {
    for await (const _ of (await bucket.get(name)) ?? []);
  });
  await call('delete objects', 's3:DeleteObject', () => bucket.delete(name));
  if (again) {
    const text = `${place} replaces objects in spite of If-None-Match: choose an object storage that supports conditional writes`;
    throw new S3EvidenceError(text, { code: 'NO_CONDITIONAL_WRITES', isTemporary: false });
  }
  const id = await call('write objects in parts', 's3:PutObject', () => bucket.beginUpload(name));
  await call('list uploads in parts', 's3:ListBucketMultipartUploads', () => first(bucket.unfinishedUploads()));
  await call('end uploads in parts', 's3:AbortMultipartUpload', () => bucket.abortUpload({ name, id }));
  const keepsVersions = await call('read its versioning', 's3:GetBucketVersioning', () => bucket.keepsVersions());
  return { ...bucket.clockDifference(), keepsVersions };
}

async function first(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items) return;
}
