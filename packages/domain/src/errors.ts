/**
 * The message of each code: what happened, then what to do. Every error of the domain has one of these codes. Codes are
 * part of the contract (interface, Errors); messages are for people and may change, except those the interface quotes.
 * Drivers decide how a code looks on the wire.
 */
export const ERROR_MESSAGES = {
  INVALID_SUBJECT_TYPE: 'subjectType must be kyc or kyb',
  MISSING_SUBJECT_REFERENCE: 'subjectReference is required. Send your own identifier for the subject.',
  INVALID_PARAMETERS: 'Input is invalid. Check its fields.',
  API_KEY_REQUIRED: 'API key is required. Provide it in X-API-Key header.',
  INVALID_API_KEY: 'Invalid API key',
  API_KEY_EXPIRED: 'API key has expired',
  API_KEY_REVOKED: 'API key has been revoked',
  INSUFFICIENT_PERMISSIONS: 'Insufficient permissions',
  NO_ACTIVE_SUBSCRIPTION: 'The client has no active subscription. Ask the operator of the service for one.',
  LIMIT_EXCEEDED: 'The monthly verification limit is reached. It starts again with the next calendar month (UTC).',
  DUPLICATE_SUBJECT_REFERENCE:
    'An active verification already exists for this subjectReference. Its id is in data.verificationId.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used with another body. Send a new key with a new request.',
  RATE_LIMIT_EXCEEDED: 'Rate limit exceeded. Try again later.',
  TOO_MANY_RENEWALS: 'Renewed too often. Try again later.',
  VERIFICATION_NOT_FOUND: 'Verification not found. Check its id.',
  CLIENT_NOT_FOUND: 'Client not found. Check its id.',
  API_KEY_NOT_FOUND: 'API key not found. Check its id.',
  API_KEY_LIMIT_REACHED: 'The client has reached its limit of active keys. Revoke one, then create the new key.',
  API_KEY_EXISTS: 'The client already has an active key. Its owners manage the keys in the dashboard.',
  API_KEY_NOT_ACTIVE: 'Only an active key can be rotated. Create a new key instead.',
  WEBHOOK_ENDPOINT_NOT_FOUND: 'Endpoint not found. Check its id.',
  WEBHOOK_DELIVERY_NOT_FOUND: 'Delivery not found. Check the id of its event.',
  WEBHOOK_LIMIT_REACHED: 'The client has reached its limit of endpoints. Remove one, then add the new one.',
  WEBHOOK_ENDPOINT_STATE: 'The state of the endpoint does not allow this. Read the endpoint again.',
  WEBHOOK_SECRET_REPLACED: 'The secret was replaced in the meantime. Read the endpoint again.',
  WEBHOOK_SECRETS_OVERLAP:
    'Too many replaced secrets still sign. Replace the secret after the oldest of them ends.',
  WEBHOOK_SECRET_UNREADABLE:
    'The secret of the endpoint cannot be decrypted: its key is missing. Replace the secret.',
  ILLEGAL_TRANSITION: 'The status of the verification does not allow this. Read the verification again.',
  STEP_OUT_OF_TURN: 'The step is not open now. Continue with the current step.',
  STEPS_INCOMPLETE: 'Some steps are not complete. Complete them, then submit again.',
  FILE_USED_ELSEWHERE: 'This file is already used in another place of the verification. Send another one.',
  FILE_UNCHANGED:
    'A reviewer asked for another file, and this one is unchanged. Send another one, or send it again to keep it.',
  FILE_LIMIT_REACHED: 'The verification has reached its limit of files. Continue with those already uploaded.',
  EVENT_LIMIT_REACHED:
    'The verification has reached its limit of recorded events. It can only be decided, withdrawn or erased now, and put on hold once it is decided.',
  FILE_EMPTY: 'File is empty. Choose another file.',
  FILE_TOO_LARGE: 'File is too large. Choose a smaller one.',
  FILE_TYPE_REFUSED: 'This type of file is not accepted. Choose another file.',
  FILE_DAMAGED: 'File is damaged. Choose another file.',
  DOCUMENT_TOO_LARGE: 'PDF is too large. Save it in a smaller size.',
  PICTURE_TOO_LARGE: 'Picture has too many pixels. Save it in a smaller size.',
  PICTURE_TOO_SMALL: 'Picture has too few pixels. Take it at a higher resolution.',
  HEIC_REFUSED: 'HEIC pictures are not accepted. Save the picture as JPEG, then send it again.',
  FILE_TOO_COMPLEX: 'File takes too much memory or time to open. Save it again as an ordinary picture or PDF.',
  FILE_ENCRYPTED: 'PDF is protected with a password or against changes. Save it without protection.',
  UPLOADS_PAUSED: 'An earlier file took too long to open. Wait, then upload another file.',
  TOO_MANY_UPLOADS: 'Too many files are being uploaded at once. Wait until one is finished.',
  TOO_MANY_DOWNLOADS: 'Too many files are being downloaded at once. Wait until one is finished.',
  FILES_SWITCHED_OFF:
    'Access to files is switched off for this client. An owner of the team can switch it on in the dashboard.',
  FILE_NOT_FOUND: 'File not found. Open the verification again to see its files.',
  HELD_BY_OPERATOR: 'An operator put this verification on hold. Ask an operator to change or to release the hold.',
  CLAIMED_BY_ANOTHER: 'Another reviewer is working on this verification. Take it over or choose another.',
  VERSION_CONFLICT: 'The verification was changed in the meantime. Read it again.',
  LINK_INVALID: 'Link is not valid. Ask for a new one.',
  LINK_EXPIRED: 'Link has expired. Ask for a new one.',
  HAND_OVER_ENDED: 'Code no longer works. Show a new one on the first device.',
  TOO_MANY_HAND_OVERS: 'Too many codes were issued. Try again later.',
  EXPORT_NOT_FOUND: 'Export not found: its link is unknown or no longer works. Ask for a new one.',
  EXPORT_CODE_WRONG: 'Code is wrong. Check it and enter it again.',
  NOT_ALLOWED: 'Your role does not allow this. Ask an owner of your team or an operator.',
  CONFIRMATION_NEEDED: 'Confirm your password to continue.',
  USER_NOT_FOUND: 'User not found. Check the id or the e-mail address.',
  USER_EXISTS:
    'A user with this e-mail address already exists. Make a new link for that user or give another address.',
  LAST_OWNER: 'A team keeps at least one owner. Make another user an owner first.',
  OWN_ACCOUNT: 'You cannot do this to your own account. Ask another owner or operator.',
  ALREADY_JOINED: 'The user has already joined. If they lost their password, ask an operator for a new link.',
  NOT_AVAILABLE: 'The storage of this service lacks the part that this needs. Use a storage that has it.',
  SERVICE_UNAVAILABLE: 'Service is temporarily unavailable. Try again in a few seconds.',
} as const;

/** Every code of an error of the domain. */
export type ErrorCode = keyof typeof ERROR_MESSAGES;

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
  'address_in_name',
  'not_a_colour',
  'not_a_contact',
  'not_a_country',
  'not_a_date',
  'not_a_lei',
  'not_a_network',
  'not_a_phone',
  'not_a_postal_code',
  'not_a_url',
  'local_address',
  'not_an_email',
  'not_in_the_past',
  'too_early',
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
/** The code of an issue: which rule an input breaks. Texts in other languages are found by it. */
export type IssueCode = (typeof ISSUE_CODES)[number];

/** One problem of an input: its path (`metadata.a.0`, empty for the whole input), code and message. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  readonly code?: IssueCode | undefined;
  /** The bound that was missed: characters with `too_long`, entries with `too_many`, years of age with `too_young`, the first year with `too_early` and so on. */
  readonly limit?: number | undefined;
}

/** Data of some error codes. */
export interface ErrorData {
  /** `INVALID_PARAMETERS`, `INVALID_SUBJECT_TYPE`, `MISSING_SUBJECT_REFERENCE`. */
  readonly issues?: readonly Issue[];
  /** `DUPLICATE_SUBJECT_REFERENCE`: the active verification of the same subject. `LINK_EXPIRED`: the link's verification. */
  readonly verificationId?: string;
  /** `LINK_EXPIRED`: the client of the verification, whom its subject can ask. */
  readonly clientId?: string;
  /** `DUPLICATE_SUBJECT_REFERENCE`, `ILLEGAL_TRANSITION`: its status. */
  readonly status?: string;
  /** `UPLOADS_PAUSED`, `TOO_MANY_UPLOADS`: when to upload again. */
  readonly retryAfterSeconds?: number;
  /** `TOO_MANY_RENEWALS`, `TOO_MANY_HAND_OVERS`: when to try again, in ISO 8601. */
  readonly retryAt?: string;
  /** `FILE_USED_ELSEWHERE`: step and kind of the file in the other place. */
  readonly usedFor?: { readonly step: string; readonly kind: string };
  /** `HAND_OVER_ENDED`: why the code no longer works (verification/hand-over-code.ts). */
  readonly end?: 'used' | 'expired' | 'renewed' | 'closed';
  /** `EXPORT_CODE_WRONG`: how many more codes can be entered. */
  readonly attemptsLeft?: number;
}

/** The error class of the domain: an expected refusal. Any other error is a fault. */
export class CountersignError extends Error {
  override readonly name = 'CountersignError';
  readonly code: ErrorCode;
  readonly data: ErrorData | undefined;

  /** @param message for people; default: the message of the code */
  constructor(
    code: ErrorCode,
    message: string = ERROR_MESSAGES[code],
    options: { data?: ErrorData; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }
}

/** Whether an error is a `CountersignError`; with `code`, one with that code. */
export function isCountersignError(error: unknown, code?: ErrorCode): error is CountersignError {
  return error instanceof CountersignError && (code === undefined || error.code === code);
}

/** Makes the error of a renewal that is possible again at a time. */
export function tooManyRenewals(until: Date): CountersignError {
  const retryAt = until.toISOString();
  return new CountersignError('TOO_MANY_RENEWALS', `Renewed too often. Try again at ${retryAt} or later.`, {
    data: { retryAt },
  });
}

/** Makes the error that says when the verification can get another hand-over code. */
export function tooManyHandOvers(until: Date): CountersignError {
  const retryAt = until.toISOString();
  return new CountersignError(
    'TOO_MANY_HAND_OVERS',
    `Too many codes were issued. Try again at ${retryAt} or later.`,
    {
      data: { retryAt },
    },
  );
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
  if (first === undefined) return ERROR_MESSAGES.INVALID_PARAMETERS;
  const text = first.path === '' ? first.message : `${first.path} ${first.message}`;
  return more > 0 ? `${text}; and ${more} more` : text;
}

/** A path of at most 200 UTF-16 units; a cut one ends in `…`. */
export function shortPath(path: string): string {
  if (path.length <= PATH_MAX) return path;
  // Half a surrogate pair is not left behind.
  return `${path.slice(0, PATH_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The ids that a fault is about. They are no personal data, so logs may contain them. */
export interface FaultSubject {
  readonly verificationId?: string | undefined;
  readonly fileId?: string | undefined;
  /** An endpoint of webhooks. */
  readonly endpointId?: string | undefined;
}

/**
 * A fault of this service, with the ids of the verification, the file or the endpoint that it is about. Logs take the ids from here,
 * because they leave out the message.
 *
 * @example
 * throw new VerificationFault('The picture cannot be read', { verificationId, fileId, cause });
 */
export class VerificationFault extends Error {
  override readonly name: string = 'VerificationFault';
  readonly verificationId: string | undefined;
  readonly fileId: string | undefined;
  readonly endpointId: string | undefined;

  constructor(
    message: string,
    { verificationId, fileId, endpointId, ...options }: FaultSubject & ErrorOptions = {},
  ) {
    super(message, options);
    this.verificationId = verificationId;
    this.fileId = fileId;
    this.endpointId = endpointId;
  }
}

/**
 * Returns the fault behind a refusal that does not show it: callers get `FILE_NOT_FOUND` for a file whose stored content is missing.
 * Report it with its request, as you report errors that are no refusals.
 *
 * @example
 * catch (error) {
 *   const fault = isCountersignError(error) ? faultBehind(error) : error;
 *   if (fault !== undefined) log.error({ requestId, fault });
 * }
 */
export function faultBehind(error: unknown): VerificationFault | undefined {
  return error instanceof CountersignError && error.cause instanceof VerificationFault ? error.cause : undefined;
}
