import type { components, operations } from './api-types.ts';

type Response = {
  [Name in keyof operations]: operations[Name]['responses'][keyof operations[Name]['responses']];
}[keyof operations];

type JsonOf<AnyResponse> = AnyResponse extends { content: { 'application/json': infer Body } } ? Body : never;

/** The body of every error response of the OpenAPI document. */
type ErrorBody = Extract<
  JsonOf<Response | components['responses'][keyof components['responses']]>,
  { success: false }
>;

/** The codes that the API answers. */
export type ApiErrorCode = ErrorBody['code'];

/**
 * The codes of this client: the server could not be reached (`CONNECTION_FAILED`), did not answer in time (`TIMEOUT`),
 * answered with a redirect (`REDIRECT_REFUSED`) or with something else than this API answers (`INVALID_RESPONSE`), or the
 * key is not of the mode of the options (`WRONG_MODE`).
 */
export type ClientErrorCode =
  | 'CONNECTION_FAILED'
  | 'TIMEOUT'
  | 'REDIRECT_REFUSED'
  | 'INVALID_RESPONSE'
  | 'WRONG_MODE';

/** All values of {@link CountersignApiError.code}. A newer server may answer further codes. */
export type ErrorCode = ApiErrorCode | ClientErrorCode;

type DataIn<Body, Code> = Body extends { code: infer Codes }
  ? Code extends Codes
    ? 'data' extends keyof Body
      ? Body['data']
      : undefined
    : never
  : never;

/** The `data` of an error with the code; `undefined` for codes without data. */
export type ErrorData<Code extends ErrorCode> = Code extends ApiErrorCode ? DataIn<ErrorBody, Code> : undefined;

/** What an error has besides its code and message. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  readonly data?: unknown;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

class ErrorWithCode<Code extends ErrorCode> extends Error {
  override readonly name = 'CountersignApiError';
  /** What went wrong, for programs. */
  readonly code: Code;
  /** The HTTP status; `undefined` if no response arrived. */
  readonly status: number | undefined;
  /** What the code adds, such as the verification that stands in the way. */
  readonly data: ErrorData<Code>;
  /** Identifies the request in the log of the server. */
  readonly requestId: string | undefined;
  /** The seconds that the server asked to wait, at most a day. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: Code, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.data = details.data as ErrorData<Code>;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/**
 * The error that every failed call throws. `code` says what went wrong and narrows `data`. A call that was aborted by
 * its signal throws the reason of the signal instead.
 *
 * @example
 * try {
 *   await client.verifications.create({ subjectType: 'kyc', subjectReference: 'user_1' });
 * } catch (error) {
 *   if (!(error instanceof CountersignApiError && error.code === 'DUPLICATE_SUBJECT_REFERENCE')) throw error;
 *   console.log('already under way:', error.data.verificationId);
 * }
 */
export type CountersignApiError = { [Code in ErrorCode]: ErrorWithCode<Code> }[ErrorCode];

/** The class of {@link CountersignApiError}. `instanceof` narrows to the union, so that `code` narrows `data`. */
export const CountersignApiError: {
  readonly prototype: CountersignApiError;
  new (code: ErrorCode, message: string, details?: ErrorDetails): CountersignApiError;
} = ErrorWithCode as never;
