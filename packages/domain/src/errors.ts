/**
 * Every error the domain can raise, by stable code. Codes are part of the contract (interface, Errors); messages
 * are for people and may change, except those the interface quotes. Drivers decide how a code looks on the wire.
 */
export type ErrorCode =
  | 'INVALID_SUBJECT_TYPE'
  | 'MISSING_SUBJECT_REFERENCE'
  | 'INVALID_PARAMETERS'
  | 'API_KEY_REQUIRED'
  | 'INVALID_API_KEY'
  | 'API_KEY_EXPIRED'
  | 'API_KEY_REVOKED'
  | 'INSUFFICIENT_PERMISSIONS'
  | 'NO_ACTIVE_SUBSCRIPTION'
  | 'LIMIT_EXCEEDED'
  | 'DUPLICATE_SUBJECT_REFERENCE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'VERIFICATION_NOT_FOUND'
  | 'CLIENT_NOT_FOUND'
  | 'API_KEY_NOT_FOUND'
  | 'API_KEY_LIMIT_REACHED'
  | 'API_KEY_NOT_ACTIVE'
  | 'ILLEGAL_TRANSITION'
  | 'STEP_OUT_OF_TURN'
  | 'STEPS_INCOMPLETE'
  | 'FILE_LIMIT_REACHED'
  | 'FILE_EMPTY'
  | 'FILE_TOO_LARGE'
  | 'FILE_TYPE_REFUSED'
  | 'FILE_DAMAGED'
  | 'PICTURE_TOO_LARGE'
  | 'FILE_NOT_FOUND'
  | 'CLAIMED_BY_ANOTHER'
  | 'VERSION_CONFLICT'
  | 'LINK_INVALID'
  | 'LINK_EXPIRED'
  | 'NOT_ALLOWED'
  | 'CONFIRMATION_NEEDED'
  | 'USER_NOT_FOUND'
  | 'USER_EXISTS'
  | 'LAST_OWNER'
  | 'OWN_ACCOUNT'
  | 'ALREADY_JOINED'
  | 'SERVICE_UNAVAILABLE';

/** Codes of issues, which pages translate. */
export const ISSUE_CODES = [
  'required',
  'invalid',
  'unknown_field',
  'too_long',
  'too_short',
  'too_many',
  'too_few',
  'too_large',
  'too_small',
  'not_plain_text',
  'not_a_country',
  'not_a_date',
  'not_a_lei',
  'not_a_phone',
  'not_a_url',
  'not_an_email',
  'not_in_the_past',
  'too_young',
  'document_expired',
  'file_missing',
  'wrong_file_kind',
  'owners_missing',
  'owners_contradicted',
  'shares_over_100',
  'not_a_step',
  'note_needed',
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/** One problem of an input: its path (`metadata.a.0`, empty for the whole input), code and message. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  readonly code?: IssueCode | undefined;
  /** The bound that was missed: characters with `too_long`, entries with `too_many`, years with `too_young` and so on. */
  readonly limit?: number | undefined;
}

/** Data of some error codes. */
export interface ErrorData {
  /** `INVALID_PARAMETERS`, `INVALID_SUBJECT_TYPE`, `MISSING_SUBJECT_REFERENCE`. */
  readonly issues?: readonly Issue[];
  /** `DUPLICATE_SUBJECT_REFERENCE`: the active verification of the same subject. */
  readonly verificationId?: string;
  /** `DUPLICATE_SUBJECT_REFERENCE`, `ILLEGAL_TRANSITION`: its status. */
  readonly status?: string;
}

/** The error class of the domain: an expected refusal. Any other error is a fault. */
export class CountersignError extends Error {
  override readonly name = 'CountersignError';
  readonly code: ErrorCode;
  readonly data: ErrorData | undefined;

  constructor(code: ErrorCode, message: string, options: { data?: ErrorData; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }
}

/** Whether an error is a `CountersignError`; with `code`, one with that code. */
export function isCountersignError(error: unknown, code?: ErrorCode): error is CountersignError {
  return error instanceof CountersignError && (code === undefined || error.code === code);
}

/** Keep an error short for any input: this many issues, each with a path of at most this length. */
const ISSUES_MAX = 20;
const PATH_MAX = 200;

/** `INVALID_PARAMETERS` with the first 20 issues; the message has the first and how many more there are. */
export function invalidParameters(issues: readonly Issue[]): CountersignError {
  const shown = issues.slice(0, ISSUES_MAX).map((issue) => ({ ...issue, path: shortPath(issue.path) }));
  return new CountersignError('INVALID_PARAMETERS', summaryOf(shown[0], issues.length - 1), {
    data: { issues: shown },
  });
}

function summaryOf(first: Issue | undefined, more: number): string {
  if (first === undefined) return 'Invalid parameters';
  const text = first.path === '' ? first.message : `${first.path} ${first.message}`;
  return more > 0 ? `${text}; and ${more} more` : text;
}

/** A path of at most 200 UTF-16 units; a cut one ends in `…`. */
export function shortPath(path: string): string {
  if (path.length <= PATH_MAX) return path;
  // Half a surrogate pair is not left behind.
  return `${path.slice(0, PATH_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
