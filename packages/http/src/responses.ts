import { type ErrorData, isCountersignError } from '@countersign/domain';
import { ApiError } from './api-error.ts';
import { errorBody, successBody } from './envelope.ts';
import { type ApiErrorCode, ERROR_STATUS } from './errors.ts';

/** What a request is answered with, before the headers that every answer has. */
export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** Of an error. */
  readonly code?: ApiErrorCode;
  /** Headers of this answer alone. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Seconds after which a client may try again while the database does not answer. */
const UNAVAILABLE_RETRY_SECONDS = 5;

export function success(
  status: 200 | 201,
  data: object,
  extra: { readonly message?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Answer {
  return { status, body: successBody(data, extra.message), headers: extra.headers };
}

/**
 * The answer to whatever was thrown. What is not an expected refusal goes to `onFault`, and nothing of it is told:
 * the request id leads to the log.
 */
export function answerToError(error: unknown, onFault: (fault: unknown) => void): Answer {
  if (isCountersignError(error, 'SERVICE_UNAVAILABLE')) {
    onFault(error);
    return refusal('SERVICE_UNAVAILABLE', 'The service is temporarily unavailable', {
      headers: { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) },
    });
  }
  if (isCountersignError(error)) return refusal(error.code, error.message, { data: error.data });
  if (error instanceof ApiError) return refusal(error.code, error.message, { headers: error.headers });
  onFault(error);
  return refusal('INTERNAL_ERROR', 'Internal server error');
}

/** Whether the answer to it is 500 or 503. */
export function isFault(error: unknown): boolean {
  if (isCountersignError(error)) return error.code === 'SERVICE_UNAVAILABLE';
  return !(error instanceof ApiError);
}

function refusal(
  code: ApiErrorCode,
  message: string,
  extra: { readonly data?: ErrorData | undefined; readonly headers?: Answer['headers'] } = {},
): Answer {
  return { status: ERROR_STATUS[code], code, body: errorBody(code, message, extra.data), headers: extra.headers };
}
