import { addAbortSignal, type Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';

/**
 * Opens an object. If the connection breaks while it is read, the rest is requested again: one break must not end the backup of a whole bucket.
 * @param client whose calls end with the signal
 * @param options.attempts at its bytes
 * @param options.abortSignal ends the read
 * @throws what the SDK throws, such as `NoSuchKey`
 */
export async function openObject(
  client: S3Client,
  {
    Bucket,
    Key,
    attempts,
    abortSignal,
  }: {
    readonly Bucket: string;
    readonly Key: string;
    readonly attempts: number;
    readonly abortSignal: AbortSignal;
  },
): Promise<AsyncIterable<Uint8Array>> {
  const open = async (rest: { readonly Range?: string; readonly IfMatch?: string | undefined }) => {
    const { Body, ETag, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key, ...rest }));
    return { body: addAbortSignal(abortSignal, Body as Readable), ETag, bytes: ContentLength };
  };
  const whole = await open({});
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let { body } = whole;
    let read = 0;
    for (let left = attempts - 1; ; left -= 1) {
      try {
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          read += chunk.byteLength;
          yield chunk;
        }
        return;
      } catch (error) {
        if (left === 0 || abortSignal.aborted) throw error;
      }
      // It can break after the last byte, too.
      if (read === whole.bytes) return;
      ({ body } = await open({ Range: `bytes=${read}-`, IfMatch: whole.ETag }));
    }
  }
  return chunks();
}
