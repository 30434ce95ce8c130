import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { isBucketCode } from './bucket-fault.ts';

/** Larger objects are uploaded in parts of this size, the least that S3 accepts, so that a retry repeats one part only. */
const PART_BYTES = 5 * 1024 * 1024;

/** Parts of one object that are uploaded at the same time. */
const PARTS_AT_ONCE = 2;

/** Metadata of an object: which call wrote it. */
const WRITTEN_BY = 'written-by';

/** Codes of a refusal to replace an object. A repeated attempt receives them, too, if an earlier one succeeded. */
const CONFLICTS = ['PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchUpload'];

/**
 * Stores an object whole, with a checksum that the object storage verifies. It replaces an object only if it may: the object
 * storage decides between concurrent calls.
 * @param client whose calls end with the signal
 * @param options.abortSignal ends the upload
 * @returns false if there is an object of the name
 */
export async function putOnce(
  client: S3Client,
  {
    Bucket,
    Key,
    body,
    replace,
    abortSignal,
  }: {
    readonly Bucket: string;
    readonly Key: string;
    readonly body: Uint8Array | Readable;
    readonly replace: boolean;
    readonly abortSignal: AbortSignal;
  },
): Promise<boolean> {
  const writtenBy = randomBytes(16).toString('hex');
  const upload = new Upload({
    client,
    params: {
      Bucket,
      Key,
      Body: body,
      ContentType: 'application/octet-stream',
      Metadata: { [WRITTEN_BY]: writtenBy },
      ...(!replace && { IfNoneMatch: '*' }),
    },
    partSize: PART_BYTES,
    queueSize: PARTS_AT_ONCE,
  });
  const abort = () => void upload.abort();
  abortSignal.addEventListener('abort', abort, { once: true });
  try {
    await upload.done();
    return true;
  } catch (error) {
    if (!isBucketCode(error, ...CONFLICTS)) throw error;
    const found = await client.send(new HeadObjectCommand({ Bucket, Key }));
    // The answer to an earlier attempt of this call was lost.
    return found.Metadata?.[WRITTEN_BY] === writtenBy;
  } finally {
    abortSignal.removeEventListener('abort', abort);
  }
}
