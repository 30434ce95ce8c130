import type { Context } from 'hono';
import { ApiError } from './api-error.ts';
import { isJsonMediaType } from './media-type.ts';
import { repeatedKey } from './repeated-key.ts';

/** The largest request body, in bytes (DESIGN section 2). */
export const BODY_MAX_BYTES: number = 64 * 1024;

// A byte order mark is skipped, as RFC 8259 section 8.1 allows; anything that is not UTF-8 throws.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON object in the body of a request.
 * @throws ApiError `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, `INVALID_JSON`, `BAD_REQUEST`
 */
export async function readJsonObject(request: Context['req']): Promise<object> {
  if (!isJsonMediaType(request.header('content-type'))) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8');
  }
  if (!/^(?:identity)?$/i.test(request.header('content-encoding') ?? '')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must not have a Content-Encoding');
  }
  const bytes = await readBytes(request);
  if (bytes.byteLength === 0) throw new ApiError('INVALID_JSON', 'The body is empty');
  const text = decodeText(bytes);
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('INVALID_JSON', 'The body must be a JSON object');
  }
  const repeated = repeatedKey(text);
  if (repeated === null) return value;
  throw new ApiError(
    'INVALID_JSON',
    `The body has an object with the key ${JSON.stringify(repeated.slice(0, 100))} twice`,
  );
}

async function readBytes(request: Context['req']): Promise<ArrayBuffer | Uint8Array> {
  const declared = request.header('content-length');
  if (declared === undefined) return await readChunks(request);
  if (Number(declared) > BODY_MAX_BYTES) throw tooLarge();
  // With a length declared, the server reads no further: this is the adapter's short way, without a web stream.
  const bytes = await request.arrayBuffer().catch(unreadable);
  if (bytes.byteLength > BODY_MAX_BYTES) throw tooLarge();
  return bytes;
}

/** Counts while it reads: a body without a length may have no end. */
async function readChunks(request: Context['req']): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream: ReadableStream<Uint8Array> | null = request.raw.body;
  const reader = stream?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read().catch(unreadable);
    if (done) break;
    size += value.byteLength;
    if (size > BODY_MAX_BYTES) throw tooLarge();
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

/** The client can see this only if it closed just one half of its connection. */
function unreadable(): never {
  throw new ApiError('BAD_REQUEST', 'The body could not be read to its end');
}

/** The rest of the body is not worth reading, so the connection cannot be used again. */
function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body must have at most ${BODY_MAX_BYTES} bytes`, {
    Connection: 'close',
  });
}

function decodeText(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ApiError('INVALID_JSON', 'The body is not valid UTF-8');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('INVALID_JSON', 'The body is not valid JSON');
  }
}
