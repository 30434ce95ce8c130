import { Readable } from 'node:stream';
import { isCountersignError } from '@countersign/domain';
import {
  evidencePlaceOf,
  HEAD_BYTES,
  isEvidenceName,
  isEvidencePath,
  type StoredFiles,
} from '@countersign/evidence-format';
import type { Bucket } from './bucket.ts';
import { bucketFault } from './bucket-fault.ts';
import { holdDeletions } from './deletion-hold.ts';

/** Creates the access to the files of the bucket as they are stored. */
export function createStoredFiles(bucket: Bucket, place: string): StoredFiles {
  return {
    place,

    async *list() {
      try {
        for await (const { name: path, bytes } of bucket.list('')) if (isEvidencePath(path)) yield { path, bytes };
      } catch (error) {
        throw bucketFault('list the files of evidence', error);
      }
    },

    async contentBytesOf({ clientId, verificationId }) {
      const sizes = new Map<string, number>();
      if (![clientId, verificationId].every(isEvidenceName)) return sizes;
      try {
        for await (const { name, bytes } of bucket.list(`${clientId}/${verificationId}/`)) {
          const found = evidencePlaceOf(name);
          if (found !== null) sizes.set(found.fileId, bytes - HEAD_BYTES);
        }
        return sizes;
      } catch (error) {
        throw bucketFault('find a file of evidence', error);
      }
    },

    async read(path) {
      if (!isEvidencePath(path)) return null;
      try {
        const found = await bucket.get(path);
        return found === null ? null : faultsOf(found);
      } catch (error) {
        throw bucketFault('read a file of evidence', error);
      }
    },

    async write(path, chunks, options) {
      if (!isEvidencePath(path)) throw new Error('The path of the file to keep is not that of a stored file.');
      try {
        return await bucket.put(path, Readable.from(chunks, { objectMode: false }), options);
      } catch (error) {
        // The source of the chunks failed.
        if (isCountersignError(error)) throw error;
        throw bucketFault('keep a file of evidence', error);
      }
    },

    async holdDeletions() {
      const hold = await within('hold back deletions of evidence', () => holdDeletions(bucket));
      return { release: () => within('end the hold on deletions of evidence', hold.release) };
    },
  };
}

async function* faultsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw bucketFault('read a file of evidence', error);
  }
}

async function within<T>(doing: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw bucketFault(doing, error);
  }
}
