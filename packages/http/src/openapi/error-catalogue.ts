import type { ErrorData } from '@countersign/domain';
import { BODY_MAX_BYTES } from '../body-limit.ts';
import type { ApiErrorCode, UnraisedErrorCode } from '../errors.ts';

/** What an error means, and how an answer with it looks. */
export interface ErrorEntry {
  readonly meaning: string;
  /** The text of `error`. */
  readonly error: string;
  readonly data?: ErrorData;
}

const issue = (path: string, message: string): ErrorData => ({ issues: [{ path, message }] });

/** The codes that this API can answer. */
export type DocumentedError = Exclude<ApiErrorCode, UnraisedErrorCode>;

export const ERRORS: Readonly<Record<DocumentedError, ErrorEntry>> = {
  BAD_REQUEST: { meaning: 'Not a valid HTTP request.', error: 'The request is not valid HTTP' },
  INVALID_JSON: {
    meaning: 'The body is empty, not UTF-8, not JSON or not an object.',
    error: 'The body is not valid JSON',
  },
  INVALID_PARAMETERS: {
    meaning: 'Another field of the body, the query or the path is wrong; `data.issues` says which.',
    error: 'page: must be a whole number in decimal digits',
    data: issue('page', 'must be a whole number in decimal digits'),
  },
  INVALID_SUBJECT_TYPE: {
    meaning: '`subjectType` is missing, or neither `kyc` nor `kyb`.',
    error: 'subjectType must be kyc or kyb',
    data: issue('subjectType', 'Invalid option: expected one of "kyc"|"kyb"'),
  },
  MISSING_SUBJECT_REFERENCE: {
    meaning: '`subjectReference` is absent, null or empty.',
    error: 'subjectReference is required',
    data: issue('subjectReference', 'Invalid input: expected string, received undefined'),
  },
  API_KEY_REQUIRED: {
    meaning: 'No key was sent.',
    error: 'API key is required. Provide it in X-API-Key header.',
  },
  INVALID_API_KEY: { meaning: 'The key is not known.', error: 'Invalid API key' },
  API_KEY_EXPIRED: { meaning: 'The key has reached its expiry.', error: 'API key has expired' },
  API_KEY_REVOKED: { meaning: 'The key was revoked, for good.', error: 'API key has been revoked' },
  INSUFFICIENT_PERMISSIONS: {
    meaning: 'The key lacks the permission that the operation needs.',
    error: 'Insufficient permissions',
  },
  NO_ACTIVE_SUBSCRIPTION: {
    meaning: 'The client has no active subscription.',
    error: 'The client has no active subscription',
  },
  LIMIT_EXCEEDED: {
    meaning: 'The verifications of this calendar month (UTC) are used up.',
    error: 'The monthly verification limit is reached',
  },
  VERIFICATION_NOT_FOUND: {
    meaning: 'The client has no verification with this id.',
    error: 'Verification not found',
  },
  NOT_FOUND: { meaning: 'There is nothing at this path.', error: 'Not found' },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path does not answer this method.',
    error: 'This method is not allowed here',
  },
  REQUEST_TIMEOUT: {
    meaning: 'The request did not arrive in time.',
    error: 'The request did not arrive in time',
  },
  DUPLICATE_SUBJECT_REFERENCE: {
    meaning:
      'An active verification (pending, submitted or action_needed) exists for this subject: the one in `data`.',
    error: 'An active verification already exists for this subjectReference',
    data: { verificationId: '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602', status: 'pending' },
  },
  PAYLOAD_TOO_LARGE: {
    meaning: `The body has more than ${BODY_MAX_BYTES} bytes.`,
    error: `The body must have at most ${BODY_MAX_BYTES} bytes`,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body is not declared as `application/json`.',
    error: 'The body must be application/json in UTF-8',
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'The same `Idempotency-Key` came with another body before.',
    error: 'This Idempotency-Key was used for another request',
  },
  RATE_LIMIT_EXCEEDED: {
    meaning: 'The requests of this minute are used up.',
    error: 'Rate limit exceeded: try again in 42 s',
  },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    meaning: 'The headers have more than 16 KiB.',
    error: 'The headers of the request are too large',
  },
  INTERNAL_ERROR: {
    meaning: 'A fault of the service. `X-Request-Id` leads to its cause in the log.',
    error: 'Internal server error',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'The service cannot answer now, for example because its database does not.',
    error: 'The service is temporarily unavailable',
  },
};
