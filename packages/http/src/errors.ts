import { ERROR_MESSAGES, type ErrorCode, type ErrorData, SUBJECT_TYPES } from '@countersign/domain';
import { DOWNLOADS_AT_ONCE } from '@countersign/domain/evidence';
import { BODY_MAX_BYTES } from './request-context.ts';

/** Codes that exist only in HTTP. All other codes are the domain's. */
export type HttpErrorCode =
  | 'INVALID_JSON'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'INTERNAL_ERROR'
  | 'BAD_REQUEST'
  | 'REQUEST_TIMEOUT'
  | 'REQUEST_HEADER_FIELDS_TOO_LARGE';

/** Every value of `code` in an error response. */
export type ApiErrorCode = ErrorCode | HttpErrorCode;

/** The `data` of an error response. */
export interface ApiErrorData extends ErrorData {
  /** `API_KEY_REQUIRED`, when the request has an `Authorization: Bearer` header. */
  readonly hint?: string;
}

/** One cause among several of a code; selects the text in {@link ErrorEntry.reasons}. */
export type ErrorReason =
  | 'body_empty'
  | 'body_incomplete'
  | 'body_not_an_object'
  | 'body_not_utf8'
  | 'content_encoding'
  | 'repeated_key';

/** What a code means and how its response looks. */
export interface ErrorEntry {
  readonly status: number;
  /** The text of `error`. A name in braces, such as `{seconds}`, stands for a value of the request. */
  readonly message: string;
  /** Texts that replace `message` for a more specific cause. */
  readonly reasons?: Readonly<Partial<Record<ErrorReason, string>>>;
  /** When the code is answered, for the OpenAPI document and the docs. */
  readonly meaning: string;
  /** Only an adopter's own routes around the domain raise the code; no route of this API does. */
  readonly coreOnly?: true;
  /** The value of `Retry-After`. For `RATE_LIMIT_EXCEEDED` only where the end of the window is unknown. */
  readonly retryAfterSeconds?: number;
  /** What fills the braces in the documented example. */
  readonly exampleValues?: Readonly<Record<string, string | number>>;
  /** The `data` of the documented example. */
  readonly exampleData?: ApiErrorData;
  /** `data` is present in some responses with this code and absent in others. */
  readonly dataOptional?: true;
}

/** How to send a key that came as `Authorization: Bearer`. */
export const BEARER_HINT =
  'The request has an Authorization header. Send the API key in the X-API-Key header instead.';

const issue = (path: string, message: string): ApiErrorData => ({ issues: [{ path, message }] });

/** Entries of the codes that exist only in HTTP. */
const HTTP_ENTRIES: Readonly<Record<HttpErrorCode, ErrorEntry>> = {
  BAD_REQUEST: {
    status: 400,
    message: 'Request is not valid HTTP. Check the request line and the headers.',
    reasons: { body_incomplete: 'Request body ended too early. Send the request again.' },
    meaning: 'The request is not valid HTTP, or its body ended early.',
  },
  INVALID_JSON: {
    status: 400,
    message: 'Request body is not valid JSON. Send one JSON object.',
    reasons: {
      body_empty: 'Request body is empty. Send one JSON object.',
      body_not_an_object: 'Request body is not a JSON object. Send one JSON object.',
      body_not_utf8: 'Request body is not valid UTF-8. Send JSON in UTF-8.',
      repeated_key: 'Request body has the key {key} twice in one object. Send each key once.',
    },
    meaning: 'The body is empty, not UTF-8, not JSON or not an object, or an object in it has a key twice.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'Nothing exists at this path. Check the path.',
    meaning: 'Nothing exists at this path.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'Method is not allowed here. Use one from the Allow header.',
    meaning: 'The path does not support this method. `Allow` lists those it supports.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'Request did not arrive in time. Send it again.',
    meaning: 'The request did not arrive in time.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: `Request is too large. Send a body of at most ${BODY_MAX_BYTES} bytes.`,
    meaning: `The body is larger than ${BODY_MAX_BYTES} bytes.`,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Request body is not declared as JSON in UTF-8. Send the header Content-Type: application/json.',
    reasons: { content_encoding: 'Request body has a Content-Encoding. Send it without one.' },
    meaning: 'The body is not declared as `application/json` in UTF-8, or it is compressed.',
  },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    status: 431,
    message: 'Request headers are too large. Send fewer or shorter headers.',
    meaning: 'The headers are too large.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Internal server error. Report it with the X-Request-Id of this response.',
    meaning: 'The service failed. `X-Request-Id` leads to the cause in its log.',
  },
};

/** What HTTP adds to a code of the domain. A `message` replaces the domain's where values of the request fill it. */
type DomainEntry =
  | (Omit<ErrorEntry, 'message'> & { readonly message?: string })
  | { readonly status: number; readonly coreOnly: true };

/** An entry that no route of this API uses. Its message is its meaning. */
const coreOnly = (status: number): DomainEntry => ({ status, coreOnly: true });

/** A code of the domain without an entry does not compile. */
const DOMAIN_ENTRIES: Readonly<Record<ErrorCode, DomainEntry>> = {
  INVALID_PARAMETERS: {
    status: 400,
    message: '{issues}',
    meaning: 'Another field of the body, the query or the path is invalid. `data.issues` lists what and why.',
    exampleValues: { issues: 'limit must be at most 100' },
    exampleData: issue('limit', 'must be at most 100'),
  },
  INVALID_SUBJECT_TYPE: {
    status: 400,
    meaning: `\`subjectType\` is missing or is not one of ${SUBJECT_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
    exampleData: issue('subjectType', `must be ${SUBJECT_TYPES.join(' or ')}`),
  },
  MISSING_SUBJECT_REFERENCE: {
    status: 400,
    meaning: '`subjectReference` is absent, null or empty.',
    exampleData: issue('subjectReference', 'is required'),
  },
  API_KEY_REQUIRED: {
    status: 401,
    meaning:
      'The request has no key in `X-API-Key`. If it has an `Authorization: Bearer` header, `data.hint` says where to send the key.',
    exampleData: { hint: BEARER_HINT },
    dataOptional: true,
  },
  INVALID_API_KEY: { status: 401, meaning: 'The key is unknown, or does not work from this network address.' },
  API_KEY_EXPIRED: { status: 401, meaning: 'The key has expired.' },
  API_KEY_REVOKED: {
    status: 401,
    meaning: 'The key was revoked. It cannot be made valid again.',
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    meaning: 'The key lacks the permission that the operation needs.',
  },
  NO_ACTIVE_SUBSCRIPTION: {
    status: 403,
    meaning: 'The client has no active subscription.',
  },
  LIMIT_EXCEEDED: {
    status: 403,
    meaning: 'The verifications of this calendar month (UTC) are used up.',
  },
  FILES_SWITCHED_OFF: {
    status: 403,
    meaning: 'No owner of the client’s team has switched on access to files.',
  },
  FILE_NOT_FOUND: {
    status: 404,
    meaning: 'The verification has no file with this id, or the content of the file is missing.',
  },
  VERIFICATION_NOT_FOUND: {
    status: 404,
    meaning: 'The client has no verification with this id.',
  },
  DUPLICATE_SUBJECT_REFERENCE: {
    status: 409,
    meaning:
      'An active verification (pending, submitted or action_needed) exists for this subject. `data` names it and its status.',
    exampleData: { verificationId: '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602', status: 'pending' },
  },
  ILLEGAL_TRANSITION: {
    status: 409,
    meaning: 'The verification has a status from which this is not possible. `data.status` names it.',
    exampleData: { status: 'approved' },
  },
  VERSION_CONFLICT: {
    status: 409,
    meaning: 'The verification was changed again and again at the same time. Nothing was changed by this request.',
  },
  EVENT_LIMIT_REACHED: {
    status: 409,
    meaning: 'The verification was changed too often, so this change is no longer possible.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    meaning: 'The same `Idempotency-Key` was sent with another body before.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message: 'Rate limit exceeded. Try again in {seconds} s.',
    meaning: 'The requests of this window are used up. `Retry-After` says when the next window begins.',
    retryAfterSeconds: 60,
    exampleValues: { seconds: 42 },
  },
  TOO_MANY_DOWNLOADS: {
    status: 429,
    meaning: `The client downloads ${DOWNLOADS_AT_ONCE} files or exports at this moment, or the service has as many downloads as it runs at once.`,
    retryAfterSeconds: 5,
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning:
      'The service cannot answer now, for example because its database does not respond. `Retry-After` says when to try again.',
    retryAfterSeconds: 5,
  },
  FILE_EMPTY: coreOnly(400),
  FILE_DAMAGED: coreOnly(400),
  PICTURE_TOO_SMALL: coreOnly(400),
  NOT_ALLOWED: coreOnly(403),
  CONFIRMATION_NEEDED: coreOnly(403),
  HELD_BY_OPERATOR: coreOnly(403),
  LINK_INVALID: coreOnly(404),
  USER_NOT_FOUND: coreOnly(404),
  CLIENT_NOT_FOUND: coreOnly(404),
  API_KEY_NOT_FOUND: coreOnly(404),
  WEBHOOK_ENDPOINT_NOT_FOUND: coreOnly(404),
  WEBHOOK_DELIVERY_NOT_FOUND: coreOnly(404),
  USER_EXISTS: coreOnly(409),
  LAST_OWNER: coreOnly(409),
  OWN_ACCOUNT: coreOnly(409),
  ALREADY_JOINED: coreOnly(409),
  API_KEY_LIMIT_REACHED: coreOnly(409),
  API_KEY_EXISTS: coreOnly(409),
  API_KEY_NOT_ACTIVE: coreOnly(409),
  WEBHOOK_LIMIT_REACHED: coreOnly(409),
  WEBHOOK_ENDPOINT_STATE: coreOnly(409),
  WEBHOOK_SECRET_REPLACED: coreOnly(409),
  WEBHOOK_SECRETS_OVERLAP: coreOnly(409),
  WEBHOOK_SECRET_UNREADABLE: coreOnly(409),
  EXPORT_NOT_FOUND: coreOnly(404),
  EXPORT_CODE_WRONG: coreOnly(403),
  HAND_OVER_ENDED: coreOnly(410),
  TOO_MANY_HAND_OVERS: coreOnly(429),
  STEP_OUT_OF_TURN: coreOnly(409),
  STEPS_INCOMPLETE: coreOnly(409),
  FILE_LIMIT_REACHED: coreOnly(409),
  FILE_USED_ELSEWHERE: coreOnly(409),
  FILE_UNCHANGED: coreOnly(409),
  CLAIMED_BY_ANOTHER: coreOnly(409),
  LINK_EXPIRED: coreOnly(410),
  FILE_TOO_LARGE: coreOnly(413),
  DOCUMENT_TOO_LARGE: coreOnly(413),
  PICTURE_TOO_LARGE: coreOnly(413),
  FILE_TOO_COMPLEX: coreOnly(413),
  FILE_TYPE_REFUSED: coreOnly(415),
  HEIC_REFUSED: coreOnly(415),
  FILE_ENCRYPTED: coreOnly(415),
  UPLOADS_PAUSED: coreOnly(429),
  TOO_MANY_UPLOADS: coreOnly(429),
  TOO_MANY_RENEWALS: coreOnly(429),
  NOT_AVAILABLE: coreOnly(501),
};

/**
 * The table of errors: code → status, text, meaning and example. Responses, the OpenAPI document and the docs are made
 * from it. The texts of the domain's codes are the domain's.
 */
export const ERRORS: Readonly<Record<ApiErrorCode, ErrorEntry>> = {
  ...HTTP_ENTRIES,
  ...(Object.fromEntries(
    Object.entries(ERROR_MESSAGES).map(([code, message]) => [
      code,
      { message, meaning: message, ...DOMAIN_ENTRIES[code as ErrorCode] },
    ]),
  ) as Record<ErrorCode, ErrorEntry>),
};

/** An error that this package raises itself. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ApiErrorCode, details: ErrorDetails = {}) {
    // The text for the wire is made with the response.
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** What one occurrence of an error adds to its entry in the table. */
export interface ErrorDetails {
  readonly reason?: ErrorReason | undefined;
  /** Values for the names in braces. */
  readonly values?: Readonly<Record<string, string | number>> | undefined;
  readonly data?: ApiErrorData | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Returns the text of `error`: that of the reason or of the code, with the values filled in. */
export function messageOf(
  code: ApiErrorCode,
  { reason, values }: Pick<ErrorDetails, 'reason' | 'values'> = {},
): string {
  const { message, reasons } = ERRORS[code];
  const text = (reason && reasons?.[reason]) ?? message;
  return values === undefined
    ? text
    : text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/**
 * Maps the `code` of a node:http `clientError` to the code of the error response. Statuses are those that Node itself
 * answers with (lib/_http_server.js, `socketOnError`).
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
