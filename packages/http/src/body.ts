import { ApiError } from './api-error.ts';
import { BODY_MAX_BYTES, tooLarge } from './body-limit.ts';
import { isJsonMediaType } from './media-type.ts';
import { repeatedKey } from './repeated-key.ts';
import type { ApiRequest } from './request-context.ts';

// A byte order mark is skipped, as RFC 8259 section 8.1 allows; anything that is not UTF-8 throws.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON object in the body of a request.
 * @throws ApiError `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, `INVALID_JSON`, `BAD_REQUEST`
 */
export async function readJsonObject(request: ApiRequest): Promise<object> {
  if (!isJsonMediaType(request.header('content-type'))) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8');
  }
  if (!/^(?:identity)?$/i.test(request.header('content-encoding') ?? '')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must not have a Content-Encoding');
  }
  if (Number(request.header('content-length') ?? 0) > BODY_MAX_BYTES) throw tooLarge();
  const bytes = await request.body();
  if (bytes.byteLength === 0) throw new ApiError('INVALID_JSON', 'The body is empty');
  const text = decodeText(bytes);
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('INVALID_JSON', 'The body must be a JSON object');
  }
  const repeated = repeatedKey(text, value);
  if (repeated === null) return value;
  throw new ApiError(
    'INVALID_JSON',
    `The body has an object with the key ${JSON.stringify(repeated.slice(0, 100))} twice`,
  );
}

function decodeText(bytes: Uint8Array): string {
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
