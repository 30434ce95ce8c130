import { type ErrorCode, type ErrorData, SUBJECT_TYPES } from '@countersign/domain';
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

/** An entry that no route of this API uses. Its message says all there is to say. */
const core = (status: number, message: string): ErrorEntry => ({
  status,
  message,
  meaning: message,
  coreOnly: true,
});

/**
 * The table of errors: code → status, text, meaning and example. Responses, the OpenAPI document and the docs are made
 * from it. A code of the domain without an entry does not compile.
 */
export const ERRORS: Readonly<Record<ApiErrorCode, ErrorEntry>> = {
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
  INVALID_PARAMETERS: {
    status: 400,
    message: '{issues}',
    meaning: 'Another field of the body, the query or the path is invalid. `data.issues` lists what and why.',
    exampleValues: { issues: 'limit must be at most 100' },
    exampleData: issue('limit', 'must be at most 100'),
  },
  INVALID_SUBJECT_TYPE: {
    status: 400,
    message: `subjectType must be ${SUBJECT_TYPES.join(' or ')}`,
    meaning: `\`subjectType\` is missing or is not one of ${SUBJECT_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
    exampleData: issue('subjectType', `must be ${SUBJECT_TYPES.join(' or ')}`),
  },
  MISSING_SUBJECT_REFERENCE: {
    status: 400,
    message: 'subjectReference is required. Send your own identifier for the subject.',
    meaning: '`subjectReference` is absent, null or empty.',
    exampleData: issue('subjectReference', 'is required'),
  },
  API_KEY_REQUIRED: {
    status: 401,
    message: 'API key is required. Provide it in X-API-Key header.',
    meaning:
      'The request has no key in `X-API-Key`. If it has an `Authorization: Bearer` header, `data.hint` says where to send the key.',
    exampleData: { hint: BEARER_HINT },
    dataOptional: true,
  },
  INVALID_API_KEY: { status: 401, message: 'Invalid API key', meaning: 'The key is unknown.' },
  API_KEY_EXPIRED: { status: 401, message: 'API key has expired', meaning: 'The key has expired.' },
  API_KEY_REVOKED: {
    status: 401,
    message: 'API key has been revoked',
    meaning: 'The key was revoked. It cannot be made valid again.',
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    message: 'Insufficient permissions',
    meaning: 'The key lacks the permission that the operation needs.',
  },
  NO_ACTIVE_SUBSCRIPTION: {
    status: 403,
    message: 'The client has no active subscription. Ask the operator of the service for one.',
    meaning: 'The client has no active subscription.',
  },
  LIMIT_EXCEEDED: {
    status: 403,
    message: 'The monthly verification limit is reached. It starts again with the next calendar month (UTC).',
    meaning: 'The verifications of this calendar month (UTC) are used up.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'Nothing exists at this path. Check the path.',
    meaning: 'Nothing exists at this path.',
  },
  VERIFICATION_NOT_FOUND: {
    status: 404,
    message: 'Verification not found',
    meaning: 'The client has no verification with this id.',
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
  DUPLICATE_SUBJECT_REFERENCE: {
    status: 409,
    message: 'An active verification already exists for this subjectReference. Its id is in data.verificationId.',
    meaning:
      'An active verification (pending, submitted or action_needed) exists for this subject. `data` names it and its status.',
    exampleData: { verificationId: '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602', status: 'pending' },
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
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was used with another body. Send a new key with a new request.',
    meaning: 'The same `Idempotency-Key` was sent with another body before.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message: 'Rate limit exceeded. Try again in {seconds} s.',
    meaning: 'The requests of this window are used up. `Retry-After` says when the next window begins.',
    retryAfterSeconds: 60,
    exampleValues: { seconds: 42 },
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
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'Service is temporarily unavailable. Try again after the time in Retry-After.',
    meaning: 'The service cannot answer now, for example because its database does not respond.',
    retryAfterSeconds: 5,
  },

  FILE_EMPTY: core(400, 'File is empty. Choose another file.'),
  FILE_DAMAGED: core(400, 'File is damaged. Choose another file.'),
  NOT_ALLOWED: core(403, 'Your role does not allow this'),
  CONFIRMATION_NEEDED: core(403, 'Confirm your password to continue'),
  LINK_INVALID: core(404, 'Link is not valid. Ask for a new one.'),
  FILE_NOT_FOUND: core(404, 'File not found'),
  USER_NOT_FOUND: core(404, 'User not found'),
  CLIENT_NOT_FOUND: core(404, 'Client not found'),
  API_KEY_NOT_FOUND: core(404, 'API key not found'),
  USER_EXISTS: core(409, 'A user with this e-mail address already exists'),
  LAST_OWNER: core(409, 'A team keeps at least one owner. Make another user an owner first.'),
  OWN_ACCOUNT: core(409, 'You cannot change your own account here'),
  ALREADY_JOINED: core(409, 'The user has already joined'),
  API_KEY_LIMIT_REACHED: core(409, 'The client has reached the limit of active keys. Revoke one first.'),
  API_KEY_NOT_ACTIVE: core(409, 'Only an active key can be rotated. Issue a new key instead.'),
  ILLEGAL_TRANSITION: core(409, 'The status of the verification does not allow this'),
  STEP_OUT_OF_TURN: core(409, 'This step is not open now'),
  STEPS_INCOMPLETE: core(409, 'Some steps are not complete yet. Complete them first.'),
  FILE_LIMIT_REACHED: core(409, 'The verification has reached its limit of files'),
  CLAIMED_BY_ANOTHER: core(
    409,
    'Another reviewer is working on this verification. Take it over or choose another.',
  ),
  VERSION_CONFLICT: core(409, 'The verification was changed in the meantime. Read it again.'),
  LINK_EXPIRED: core(410, 'Link has expired. Ask for a new one.'),
  FILE_TOO_LARGE: core(413, 'File is too large. Choose a smaller one.'),
  PICTURE_TOO_LARGE: core(413, 'Picture is too large. Save it smaller.'),
  FILE_TYPE_REFUSED: core(415, 'This type of file is not accepted. Choose another file.'),
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
