import { type ErrorData, isCountersignError, type RateLimitDecision } from '@countersign/domain';
import type { ClientMode } from '@countersign/domain/clients';
import { type FilePart, fileNameOf } from '@countersign/domain/evidence';
import { type ClientExport, partsOf, watchedParts } from '@countersign/domain/exports';
import { ApiError, type ApiErrorCode, type ApiErrorData, ERRORS, type ErrorDetails, messageOf } from './errors.ts';
import type { ApiResponse, WholeResponse } from './request-context.ts';
import { zipParts } from './zip.ts';

/** What an operation answers: a status and a body, nearly always in the envelope, with headers of its own if any. */
export interface OperationResult {
  readonly status: 200 | 201;
  readonly body: ApiResponse['body'];
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the verification that was created. */
  readonly createdId?: string;
}

/** A result whose body comes in parts. */
export interface DownloadResult extends OperationResult {
  readonly body: AsyncGenerator<Uint8Array>;
}

/** Puts data into the success envelope (interface, Response envelope). */
export function success(
  status: 200 | 201,
  data: object,
  { message, headers }: { readonly message?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): OperationResult {
  const text = JSON.stringify(data);
  const end = message === undefined ? '}' : `,"message":${JSON.stringify(message)}}`;
  const body = `{"success":true,"data":${text}${end}`;
  return headers === undefined ? { status, body } : { status, body, headers };
}

/**
 * Answers with a file, to be saved under a plain name. A browser neither guesses another type nor runs anything in it.
 *
 * @param part read whole: it is sealed as a whole, and holds at most 10 MB. It is sent in parts, so that its slot is left once the last is taken
 */
export function fileResult({ file, content, contentType }: FilePart): DownloadResult {
  return {
    status: 200,
    body: partsOf(content),
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(content.byteLength),
      'Content-Disposition': `attachment; filename="${fileNameOf(file)}"`,
      'Content-Security-Policy': FILE_POLICY,
    },
  };
}

/** Answers with an export as a zip, which is made while it is sent. */
export function exportResult({ name, entries }: ClientExport): DownloadResult {
  return {
    status: 200,
    body: zipParts(entries),
    headers: {
      'Content-Type': ZIP_TYPE,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Security-Policy': FILE_POLICY,
    },
  };
}

/** The content type of exports. */
export const ZIP_TYPE = 'application/zip';

/** The policy of files, which are never shown as pages. */
export const FILE_POLICY = "sandbox; default-src 'none'";

/** What every response says about its request. */
export interface ResponseContext {
  /** The value of `X-Request-Id`. */
  readonly requestId: string;
  /** Fills the `X-RateLimit-*` headers; undefined only when counting the request failed. */
  readonly rateLimit?: RateLimitDecision | undefined;
  /** The mode of the request's key, once it is known: the value of `X-Countersign-Mode`. */
  readonly mode?: ClientMode | undefined;
}

/** The response to a successful operation. */
export function successResponse(
  { status, body, headers }: OperationResult,
  context: ResponseContext,
): ApiResponse {
  return { status, headers: responseHeaders(context, headers), body };
}

/**
 * Makes the response to an error, in the envelope and with the headers of the API. Status and text come from the table
 * of errors. Use it for what your server answers outside the API's own paths.
 *
 * @param code selects the entry of the table
 * @param context pass the decision of `rateLimits.forAddress`, so that the rate limit headers are present and
 *   `RATE_LIMIT_EXCEEDED` has its `Retry-After`
 * @param details what this occurrence adds: data, headers, a more specific reason
 *
 * @example
 * const rateLimit = await countersign.rateLimits.forAddress(address);
 * const code = rateLimit.allowed ? 'NOT_FOUND' : 'RATE_LIMIT_EXCEEDED';
 * const { status, headers, body } = errorResponse(code, { requestId: crypto.randomUUID(), rateLimit });
 */
export function errorResponse(
  code: ApiErrorCode,
  context: ResponseContext & { readonly now?: (() => Date) | undefined },
  { reason, values, data, headers }: ErrorDetails = {},
): WholeResponse & { readonly body: string } {
  const seconds = retryAfterSeconds(code, context);
  const error = messageOf(code, { reason, values: seconds === undefined ? values : { seconds, ...values } });
  const extra = seconds === undefined ? headers : { ...headers, 'Retry-After': String(seconds) };
  return {
    status: ERRORS[code].status,
    headers: responseHeaders(context, extra),
    body: JSON.stringify({ success: false, error, code, data: data && wireData(data) }),
  };
}

/** An error as the table describes it. Everything unexpected is `INTERNAL_ERROR` and reveals nothing. */
export function errorOf(thrown: unknown): { code: ApiErrorCode; details: ErrorDetails } {
  if (thrown instanceof ApiError) return thrown;
  if (!isCountersignError(thrown)) return { code: 'INTERNAL_ERROR', details: {} };
  const { code, data, message } = thrown;
  return { code, details: { data, values: code === 'INVALID_PARAMETERS' ? { issues: message } : undefined } };
}

/**
 * Passes the parts of a download on, and reports the fault that breaks it off. The end of the right to read is no fault.
 * @returns parts that throw what the parts throw
 */
export function reportedParts(
  parts: AsyncGenerator<Uint8Array>,
  onFault: (fault: unknown) => void,
): AsyncGenerator<Uint8Array> {
  return watchedParts(parts, {
    onFault(error) {
      if (isFault(errorOf(error).code)) onFault(error);
    },
  });
}

/** Whether the error is the service's own fault: 500 or 503. */
export function isFault(code: ApiErrorCode): boolean {
  return ERRORS[code].status >= 500;
}

/** Whole seconds until a retry makes sense, at least 1; undefined for errors without `Retry-After`. */
function retryAfterSeconds(
  code: ApiErrorCode,
  {
    rateLimit,
    now,
  }: { readonly rateLimit?: RateLimitDecision | undefined; readonly now?: (() => Date) | undefined },
): number | undefined {
  if (code !== 'RATE_LIMIT_EXCEEDED' || rateLimit === undefined) return ERRORS[code].retryAfterSeconds;
  const milliseconds = rateLimit.resetAt.getTime() - (now?.() ?? new Date()).getTime();
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** Reduces issues to path and message: their codes serve pages that translate them. */
function wireData({ issues, ...data }: ApiErrorData): ErrorData {
  if (issues === undefined) return data;
  return { ...data, issues: issues.map(({ path, message }) => ({ path, message })) };
}

function responseHeaders(
  { requestId, rateLimit, mode }: ResponseContext,
  extra: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  };
  if (rateLimit !== undefined) {
    headers['X-RateLimit-Limit'] = String(rateLimit.limit);
    headers['X-RateLimit-Remaining'] = String(rateLimit.remaining);
    // Rounded up, so that a client that waits until then finds the new window open.
    headers['X-RateLimit-Reset'] = String(Math.ceil(rateLimit.resetAt.getTime() / 1000));
  }
  if (mode !== undefined) headers['X-Countersign-Mode'] = mode;
  return extra === undefined ? headers : Object.assign(headers, extra);
}
