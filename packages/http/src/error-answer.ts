import type { RateLimitDecision } from '@countersign/domain';
import { errorBody } from './envelope.ts';
import { type ApiErrorCode, ERROR_STATUS, type HttpErrorCode } from './errors.ts';
import { responseHeaders } from './response-headers.ts';

/** An answer for a server that writes it itself, such as one to a request that never became one. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

const MESSAGES: Readonly<Record<HttpErrorCode, string>> = {
  BAD_REQUEST: 'The request is not valid HTTP',
  INTERNAL_ERROR: 'Internal server error',
  INVALID_JSON: 'The body is not valid JSON',
  METHOD_NOT_ALLOWED: 'This method is not allowed here',
  NOT_FOUND: 'Not found',
  PAYLOAD_TOO_LARGE: 'The request is too large',
  REQUEST_HEADER_FIELDS_TOO_LARGE: 'The headers of the request are too large',
  REQUEST_TIMEOUT: 'The request did not arrive in time',
  UNSUPPORTED_MEDIA_TYPE: 'The media type is not supported',
};

/**
 * An error in the envelope for whatever is answered outside the API's own routes, with the API's headers. Give it the
 * decision of `rateLimits.forAddress` so that the rate limit headers stand there too (interface, Limits).
 *
 * @example
 * const { status, headers, body } = errorAnswer('NOT_FOUND', { requestId: ids.next() });
 */
export function errorAnswer(
  code: HttpErrorCode,
  { requestId, rateLimit, message }: { requestId: string; rateLimit?: RateLimitDecision; message?: string },
): ErrorAnswer {
  return {
    status: ERROR_STATUS[code],
    headers: responseHeaders(requestId, rateLimit, undefined),
    body: errorBody(code satisfies ApiErrorCode, message ?? MESSAGES[code]),
  };
}

/**
 * What the `clientError` event of node:http means, by the `code` of its error. Same choice as Node's own answers
 * (lib/_http_server.js, `socketOnError`), apart from naming them.
 */
export function protocolErrorCode(nodeErrorCode: string | undefined): HttpErrorCode {
  switch (nodeErrorCode) {
    case 'HPE_HEADER_OVERFLOW':
      return 'REQUEST_HEADER_FIELDS_TOO_LARGE';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'PAYLOAD_TOO_LARGE';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'REQUEST_TIMEOUT';
    default:
      return 'BAD_REQUEST';
  }
}
