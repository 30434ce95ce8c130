import { CountersignError, EVIDENCE_MAX_BYTES } from '@countersign/domain';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { type Drain, drainBody } from './drain-body.ts';
import { type FormRefusal, FormRefused } from './form-refused.ts';

/** A form of the page has one file, no other field, and what a browser says about the file: 64 KiB are plenty. */
const UPLOAD_MAX_BYTES: number = EVIDENCE_MAX_BYTES + 64 * 1024;

const LIMITS = { files: 1, fields: 5, parts: 6, fieldSize: 1024, headerPairs: 20, headerSize: 8 * 1024 };

/** What is asked of a request. */
export type UploadRequest = Pick<Request, 'headers' | 'body'>;

/**
 * Hands the one file of a multipart form to `take` while it comes in; names, types and fields that the sender gives
 * are ignored. The file ends for `take` only when the whole form was read and is sound: whatever breaks it, `take`
 * sees as a failure of the upload. The request is read no faster than `take` reads, and to its end, within bounds,
 * before this settles, because a browser does not show the answer to a request that it could not send.
 *
 * @returns what `take` made of it
 * @throws FormRefused; CountersignError `FILE_TOO_LARGE`; and what `take` throws
 */
export async function receiveFormFile<T>(
  request: UploadRequest,
  take: (upload: AsyncIterable<Uint8Array>) => Promise<T>,
  drain: Drain = drainBody,
): Promise<T> {
  const reader = request.body?.getReader();
  if (reader === undefined) throw new FormRefused('UPLOAD_BROKEN');
  const over = new AbortController();
  const taken: Promise<T>[] = [];
  try {
    if (Number(request.headers.get('content-length') ?? 0) > UPLOAD_MAX_BYTES) throw tooLarge();
    const parser = createParser(request.headers.get('content-type') ?? '');
    const result = Promise.withResolvers<T>();
    const sound = watch(parser, (file, name) => {
      const taking = take(contentOf(file, name, whole));
      taken.push(taking);
      taking.then(result.resolve, result.reject);
    });
    const whole: Promise<unknown> = Promise.all([sound, feed(parser, reader, over.signal)]);
    return await Promise.race([result.promise, whole.then(() => result.promise)]);
  } finally {
    over.abort();
    // Where the form is refused, `take` still has to clear away what it read.
    await Promise.allSettled(taken);
    await drain(reader);
  }
}

/** Resolves when the parser has seen the end of a form with one file in it. */
function watch(parser: BusboyInstance, onFile: (file: BusboyFileStream, name: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let hasFile = false;
    const refuse = (code: FormRefusal) => () => reject(new FormRefused(code));
    parser.on('file', (_field, file, name) => {
      hasFile = true;
      // The parser tells the same, and nobody may be reading.
      file.on('error', () => undefined);
      onFile(file, name);
    });
    parser.on('filesLimit', refuse('SEVERAL_FILES'));
    parser.on('fieldsLimit', refuse('UPLOAD_BROKEN'));
    parser.on('partsLimit', refuse('UPLOAD_BROKEN'));
    parser.on('error', refuse('UPLOAD_BROKEN'));
    parser.on('finish', () => (hasFile ? resolve() : reject(new FormRefused('FILE_MISSING'))));
  });
}

/** The bytes of the file. They end after the form does; where the form is refused, they end in that. */
async function* contentOf(
  file: BusboyFileStream,
  name: string,
  whole: Promise<unknown>,
): AsyncIterable<Uint8Array> {
  whole.catch((refusal: Error) => file.destroy(refusal));
  let size = 0;
  for await (const chunk of file as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    yield chunk;
  }
  await whole;
  // What a browser sends for a file input that nothing was chosen in.
  if (size === 0 && name === '') throw new FormRefused('FILE_MISSING');
}

function createParser(contentType: string): BusboyInstance {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw new FormRefused('UPLOAD_BROKEN');
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
  } catch {
    // Without a boundary.
    throw new FormRefused('UPLOAD_BROKEN');
  }
}

/** Writes the body into the parser, one piece after another: the next is read when the last is taken. */
async function feed(
  parser: BusboyInstance,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  over: AbortSignal,
): Promise<void> {
  let size = 0;
  while (!over.aborted) {
    const { done, value } = await reader.read().catch(() => {
      throw new FormRefused('UPLOAD_BROKEN');
    });
    if (over.aborted) return;
    if (done) {
      parser.end();
      return;
    }
    size += value.byteLength;
    if (size > UPLOAD_MAX_BYTES) throw tooLarge();
    await new Promise<void>((resolve) => parser.write(value, () => resolve()));
  }
}

function tooLarge(): CountersignError {
  return new CountersignError('FILE_TOO_LARGE', `A file must have at most ${EVIDENCE_MAX_BYTES} bytes`);
}
