import { MIMEType } from 'node:util';
import { invalidParameters } from '@countersign/domain';
import { ApiError } from './errors.ts';
import { repeatedKey } from './repeated-key.ts';
import { BODY_MAX_BYTES, type RequestContext } from './request-context.ts';

// Skips a byte order mark, as RFC 8259 section 8.1 allows; throws on anything that is not UTF-8.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request as a JSON object.
 * @throws {@link ApiError} `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, `INVALID_JSON`, `BAD_REQUEST`
 */
export async function readJsonObject(request: Pick<RequestContext, 'header' | 'body'>): Promise<object> {
  const value = await readJsonObjectOrNull(request);
  if (value === null) throw new ApiError('INVALID_JSON', { reason: 'body_not_an_object' });
  return value;
}

async function readJsonObjectOrNull(request: Pick<RequestContext, 'header' | 'body'>): Promise<object | null> {
  if (!isJsonMediaType(request.header('content-type'))) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  if (!/^(?:identity)?$/i.test(request.header('content-encoding') ?? '')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { reason: 'content_encoding' });
  }
  const bytes = await readBytes(request);
  if (bytes.byteLength === 0) throw new ApiError('INVALID_JSON', { reason: 'body_empty' });
  const text = decode(bytes);
  const value = parseJson(text);
  if (value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new ApiError('INVALID_JSON', { reason: 'body_not_an_object' });
  }
  const repeated = repeatedKey(text, value);
  if (repeated === null) return value;
  const key = JSON.stringify(repeated.slice(0, KEY_SHOWN_MAX));
  throw new ApiError('INVALID_JSON', { reason: 'repeated_key', values: { key } });
}

/**
 * Reads the body of a request that has no fields: it is empty, with any `Content-Type`, an empty JSON object, or `null`,
 * which some generated clients send for no body.
 * @throws {@link ApiError} as {@link readJsonObject}; CountersignError `INVALID_PARAMETERS` names each field
 */
export async function readEmptyBody(request: Pick<RequestContext, 'header' | 'body'>): Promise<void> {
  const bytes = await readBytes(request);
  if (bytes.byteLength === 0) return;
  const fields = await readJsonObjectOrNull({ header: (name) => request.header(name), body: async () => bytes });
  if (fields === null) return;
  const message = 'is not a known field: send no body, or {}';
  const issues = Object.keys(fields).map((path) => ({ path, message, code: 'unknown_field' as const }));
  if (issues.length > 0) throw invalidParameters(issues);
}

/** @throws {@link ApiError} `PAYLOAD_TOO_LARGE`, `BAD_REQUEST` */
async function readBytes(request: Pick<RequestContext, 'header' | 'body'>): Promise<Uint8Array> {
  if (Number(request.header('content-length') ?? 0) > BODY_MAX_BYTES) throw bodyTooLarge();
  return request.body();
}

/** How many characters of a repeated key an error shows. */
const KEY_SHOWN_MAX = 100;

/** Collects the chunks of a body. Counts while reading: a body without a declared length may never end. */
export class BodyChunks {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  /** @throws {@link ApiError} `PAYLOAD_TOO_LARGE` */
  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (this.#size > BODY_MAX_BYTES) throw bodyTooLarge();
    this.#chunks.push(chunk);
  }

  bytes(): Uint8Array {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Uint8Array) : Buffer.concat(this.#chunks);
  }
}

/** The client sees this only if it closed just its sending half of the connection. */
export function bodyIncomplete(): ApiError {
  return new ApiError('BAD_REQUEST', { reason: 'body_incomplete' });
}

/** The rest of the body is not read, so the connection cannot be used again. */
function bodyTooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', { headers: { Connection: 'close' } });
}

/** Whether a `Content-Type` means JSON in UTF-8: `application/json`, with no charset or exactly one that is UTF-8. */
function isJsonMediaType(contentType: string | undefined): boolean {
  // Nearly every client sends exactly this, which needs no parsing.
  if (contentType === 'application/json') return true;
  const type = repeatsCharset(contentType ?? '') ? null : parseMediaType(contentType ?? '');
  return type?.essence === 'application/json' && /^utf-?8$/i.test(type.params.get('charset') ?? 'utf-8');
}

/** With two charsets, MIMEType keeps the first and other readers keep the last. */
function repeatsCharset(contentType: string): boolean {
  const unquoted = contentType.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
  return (unquoted.match(/;\s*charset\s*=/gi) ?? []).length > 1;
}

function parseMediaType(contentType: string): MIMEType | null {
  try {
    return new MIMEType(contentType);
  } catch {
    return null;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ApiError('INVALID_JSON', { reason: 'body_not_utf8' });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('INVALID_JSON');
  }
}
