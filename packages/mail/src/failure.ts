import type { MailOutcome } from '@countersign/domain/mail';

/** Why a mail was not accepted. */
export const MAIL_FAILURES = [
  /** The server refuses the recipient or the mail for good. */
  'refused',
  /** The server refuses it for now. */
  'deferred',
  /** The server ended an open connection, or did not answer in time. */
  'no_answer',
  /** The server cannot be reached, or takes no mail at the moment. */
  'unreachable',
  /** The connection cannot be encrypted, or its certificate is not valid. */
  'encryption',
  /** The server refuses user name and password, or wants some. */
  'sign_in',
  /** The server refuses the sender. */
  'sender',
] as const;
/** Where an attempt to send failed: one of `MAIL_FAILURES`. */
export type MailFailure = (typeof MAIL_FAILURES)[number];

/** A failed attempt, without addresses and without what the server said. */
export interface FailedAttempt {
  readonly failure: MailFailure;
  /** The server's code of three digits; null if the server sent none. */
  readonly code: number | null;
}

/** The result by failure. `unavailable`: all mails wait until the server or its settings are mended. */
export const OUTCOMES: Readonly<Record<MailFailure, MailOutcome>> = {
  refused: { outcome: 'refused', permanent: true },
  deferred: { outcome: 'refused', permanent: false },
  // A mail that the server never answers must not hold up the others.
  no_answer: { outcome: 'refused', permanent: false },
  unreachable: { outcome: 'unavailable' },
  encryption: { outcome: 'unavailable' },
  sign_in: { outcome: 'unavailable' },
  sender: { outcome: 'unavailable' },
};

/** Properties of nodemailer's errors. */
interface SmtpError {
  readonly code?: unknown;
  /** The code of Node's error. */
  readonly originalCode?: unknown;
  readonly command?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
  readonly timeoutType?: unknown;
}

/** The service shuts down or has too many connections (RFC 5321, section 3.8). */
const SHUTTING_DOWN = 421;

/** Codes by which servers ask for a sign-in or refuse it (RFC 4954, section 6). */
const SIGN_IN_CODES = new Set([530, 534, 535, 538]);

/**
 * An enhanced code of the class "security or policy" (RFC 3463, section 3.8), such as "relaying denied". It may be about the settings of
 * the installation rather than the recipient.
 */
const POLICY = /^5\d\d[ -]5\.7\.\d/;

const ENCRYPTION_ERRORS = /CERT|ISSUER|LEAF_SIGNATURE|^ERR_TLS|^ERR_SSL|^EPROTO$/;

/** Codes of Node by which a connection ends that was open. */
const ENDED = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Codes of nodemailer for a connection that failed. `EABORT`: the deadline of the attempt passed. */
const CONNECTION_ERRORS = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'EPROTOCOL', 'EABORT']);

/**
 * Classifies a fault of nodemailer.
 * @throws the fault if neither the connection nor the server failed
 */
export function failedAttempt(fault: unknown): FailedAttempt {
  if (!(fault instanceof Error)) throw fault;
  const error = fault as Error & SmtpError;
  const code = typeof error.responseCode === 'number' ? error.responseCode : null;
  const failure = code === null ? withoutAnswer(error) : refusal(error, code);
  if (failure === undefined) throw fault;
  return { failure, code };
}

function refusal({ code: kind, command, response }: SmtpError, code: number): MailFailure {
  if (kind === 'ETLS') return 'encryption';
  if (SIGN_IN_CODES.has(code) || (kind === 'EAUTH' && code >= 500)) return 'sign_in';
  if (code === SHUTTING_DOWN || (kind !== 'EENVELOPE' && kind !== 'EMESSAGE')) return 'unreachable';
  if (code < 500) return 'deferred';
  if (command === 'MAIL FROM') return 'sender';
  return POLICY.test(String(response)) ? 'deferred' : 'refused';
}

function withoutAnswer(error: SmtpError): MailFailure | undefined {
  const kind = String(error.code);
  const original = String(error.originalCode);
  if (kind === 'ETLS' || ENCRYPTION_ERRORS.test(original)) return 'encryption';
  if (kind === 'EAUTH' || kind === 'ENOAUTH') return 'sign_in';
  if (!CONNECTION_ERRORS.has(kind)) return undefined;
  const wasOpen =
    kind === 'EABORT' ||
    error.timeoutType === 'SOCKET_TIMEOUT' ||
    ENDED.has(original) ||
    (kind === 'ECONNECTION' && error.command === 'CONN');
  return wasOpen ? 'no_answer' : 'unreachable';
}
