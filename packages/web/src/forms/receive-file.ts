import { CountersignError } from '@countersign/domain';
import { freeChunk, ownedChunk, UPLOAD_MAX_BYTES } from '@countersign/domain/evidence';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { MiddlewareHandler } from 'hono';
import { HeldChunks } from './held-chunks.ts';

/** Why the form around an upload is refused, before its file is judged. */
export type FormRefusal =
  /** No file was chosen. */
  | 'FILE_MISSING'
  /** The form has more than one file. */
  | 'SEVERAL_FILES'
  /** The body is not a form of the page, or it ended early. */
  | 'UPLOAD_BROKEN';

/** Thrown while an upload is read. Nothing of the upload is kept. */
export class FormRefused extends Error {
  override readonly name = 'FormRefused';
  readonly code: FormRefusal;

  constructor(code: FormRefusal) {
    super(`The form of an upload is refused: ${code}`);
    this.code = code;
  }
}

/** A form of the page has one file and few short fields. 64 KiB are enough for them and the headers of its parts. */
const FORM_MAX_BYTES: number = UPLOAD_MAX_BYTES + 64 * 1024;

const LIMITS = { files: 1, fields: 10, parts: 11, fieldSize: 1024, headerPairs: 20, headerSize: 8 * 1024 };

/** How the form around a file is read. */
export interface FormReading {
  /** Default: {@link drainBody}. */
  readonly drain?: Drain;
  /** Takes each other field of the form, cut to 1024 bytes. Default: fields are ignored. */
  readonly onField?: (name: string, value: string) => void;
}

/**
 * Passes the one file of a multipart form to `take` while it arrives. Ignores names and types that the sender gives.
 * `take` sees the end of the file only when the whole form was read and is valid; a broken form is an error in
 * its input. Reads no faster than `take` does, and drains the request before it settles: a browser that is still
 * sending does not show the answer.
 *
 * @returns the result of `take`
 * @throws FormRefused; CountersignError `FILE_TOO_LARGE`; and what `take` throws
 */
export async function receiveFormFile<T>(
  request: Pick<Request, 'headers' | 'body'>,
  take: (upload: AsyncIterable<Uint8Array>) => Promise<T>,
  { drain = drainBody, onField = () => undefined }: FormReading = {},
): Promise<T> {
  const reader = request.body?.getReader();
  if (reader === undefined) throw new FormRefused('UPLOAD_BROKEN');
  const over = new AbortController();
  const taken: Promise<T>[] = [];
  try {
    if (Number(request.headers.get('content-length') ?? 0) > FORM_MAX_BYTES) throw tooLarge();
    const parser = createParser(request.headers.get('content-type') ?? '');
    const result = Promise.withResolvers<T>();
    parser.on('field', onField);
    const held = new HeldChunks();
    const isValid = watch(parser, (file, name) => {
      held.beginFile();
      const taking = take(contentOf(file, name, whole, held));
      taken.push(taking);
      taking.then(result.resolve, result.reject);
    });
    const whole: Promise<unknown> = Promise.all([isValid, feed(parser, reader, held, over.signal)]);
    return await Promise.race([result.promise, whole.then(() => result.promise)]);
  } finally {
    over.abort();
    // If the form is refused, `take` still has to delete what it read.
    await Promise.allSettled(taken);
    if (!(await drain(reader))) cutOff.add(request);
  }
}

/** Requests whose body was not read to its end. */
const cutOff = new WeakSet<object>();

/**
 * Whether the body of an upload was read to its end. A browser that is still sending shows an answer only if its status is an
 * error, and follows no redirect.
 */
export function wasReadWhole(request: Pick<Request, 'headers' | 'body'>): boolean {
  return !cutOff.has(request);
}

/** Resolves at the end of a form with exactly one file. */
function watch(parser: BusboyInstance, onFile: (file: BusboyFileStream, name: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let hasFile = false;
    const refuse = (code: FormRefusal) => () => reject(new FormRefused(code));
    parser.on('file', (_field, file, name) => {
      hasFile = true;
      // The parser reports the same error. Without a listener it would be uncaught while no one reads the file.
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

/** Yields copies of the file's bytes, which their consumer may free. Ends after the form does, and throws if the form is refused. */
async function* contentOf(
  file: BusboyFileStream,
  name: string,
  whole: Promise<unknown>,
  held: HeldChunks,
): AsyncIterable<Uint8Array> {
  whole.catch((refusal: Error) => file.destroy(refusal));
  let size = 0;
  for await (const part of file as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    const chunk = new Uint8Array(part);
    held.freeUntil(size);
    yield ownedChunk(chunk);
  }
  held.endFile();
  await whole;
  // A browser sends this for an empty file input.
  if (size === 0 && name === '') throw new FormRefused('FILE_MISSING');
}

function createParser(contentType: string): BusboyInstance {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw new FormRefused('UPLOAD_BROKEN');
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
  } catch {
    // The header has no boundary.
    throw new FormRefused('UPLOAD_BROKEN');
  }
}

/** Writes the body into the parser, chunk by chunk. Reads the next chunk when the parser has taken the last. */
async function feed(
  parser: BusboyInstance,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  held: HeldChunks,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    const { done, value } = await reader.read().catch(() => {
      throw new FormRefused('UPLOAD_BROKEN');
    });
    if (over.aborted) return;
    if (done) {
      parser.end();
      return;
    }
    held.add(value);
    if (held.size > FORM_MAX_BYTES) throw tooLarge();
    await new Promise<void>((resolve) => parser.write(value, () => resolve()));
  }
}

function tooLarge(): CountersignError {
  return new CountersignError('FILE_TOO_LARGE');
}

/** Reads the rest of a body and discards it. @returns whether its end was reached */
export type Drain = (reader: ReadableStreamDefaultReader<Uint8Array>) => Promise<boolean>;

/** Twice the allowed size: enough for an uncompressed picture of a current phone. */
const DRAIN_MAX_BYTES: number = 2 * UPLOAD_MAX_BYTES;
const DRAIN_MAX_MS = 10_000;

/**
 * Reads the rest of a refused upload, within bounds: a browser that is still sending reports a reset connection instead
 * of the answer. Beyond the bounds the server answers and closes the connection.
 */
export const drainBody: Drain = async (reader) => {
  const timeout = Promise.withResolvers<'timeout'>();
  const timer = setTimeout(() => timeout.resolve('timeout'), DRAIN_MAX_MS);
  let left = DRAIN_MAX_BYTES;
  try {
    while (left > 0) {
      const next = await Promise.race([reader.read(), timeout.promise]);
      if (next === 'timeout') return false;
      if (next.done) return true;
      left -= next.value.byteLength;
      freeChunk(next.value);
    }
  } catch {
    // The sender has closed the connection.
    return false;
  } finally {
    clearTimeout(timer);
  }
  return false;
};

/** Drains a body that no handler read, such as an upload whose link has expired. */
export const drainUnread: MiddlewareHandler = async ({ req }, next) => {
  await next();
  const { body, bodyUsed } = req.raw;
  if (body !== null && !bodyUsed && !body.locked) await drainBody(body.getReader());
};
