import type { Secrets } from '../runtime.ts';
import { ANSWERABLE_STATUSES } from './status.ts';
import type { VerificationRecord } from './verification-record.ts';

const MINUTE_MS = 60 * 1000;

/** How long a hand-over code works, in milliseconds. */
export const HAND_OVER_LIFETIME_MS: number = 10 * MINUTE_MS;

/** The most codes that a verification gets within `HAND_OVER_WINDOW_MS`, which begins with the first of them. */
export const MAX_HAND_OVERS = 5;
/** How long codes count toward `MAX_HAND_OVERS`, in milliseconds. */
export const HAND_OVER_WINDOW_MS: number = 60 * MINUTE_MS;

/** 128 bits. */
const CODE_BYTES = 16;
const CODE = /^[0-9a-f]{32}$/;

/**
 * The code with which a subject continues on another device: it works once, and no longer than the link for which it was issued. A
 * verification has one at most, the last one issued. It holds no personal data, and the code itself is not stored.
 */
export interface HandOverCode {
  readonly clientId: string;
  readonly verificationId: string;
  /** The link that the code stands for: a renewal ends both. */
  readonly linkVersion: number;
  /** Keyed hash of the code (`hashOfHandOver`). */
  readonly codeHash: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** When a device continued with it; null before that. */
  readonly spentAt: Date | null;
  /** When the window began in which its verification's codes are counted, and their number with this one. */
  readonly countedFrom: Date;
  readonly issued: number;
}

/** A code that is about to be stored. */
export type NewHandOver = Omit<HandOverCode, 'spentAt' | 'countedFrom' | 'issued'>;

/** What the end of a code depends on, besides itself. */
type CodeOwner = Pick<VerificationRecord, 'status' | 'linkVersion' | 'linkExpiresAt' | 'submittedAt'>;

/**
 * Why a code no longer works: it was `used`, it `expired`, its link was `renewed`, or the verification was submitted, decided or
 * withdrawn since (`closed`).
 */
export type HandOverEnd = 'used' | 'expired' | 'renewed' | 'closed';

/** Makes a code of 128 random bits, in hexadecimal. */
export function newHandOverCode({ randomHex }: Pick<Secrets, 'randomHex'>): string {
  return randomHex(CODE_BYTES);
}

/** Makes the keyed hash by which a code is stored. It holds for one link of one verification. */
export function hashOfHandOver({ sign }: Pick<Secrets, 'sign'>, link: CodedLink, code: string): string {
  return sign(signedText(link, code));
}

/** Whether a text is the code of this hash. Compares in constant time. */
export function isHandOverCode(
  { verify }: Pick<Secrets, 'verify'>,
  stored: Pick<HandOverCode, 'codeHash'> & CodedLink,
  text: string,
): boolean {
  return CODE.test(text) && verify(signedText(stored, text), stored.codeHash);
}

type CodedLink = Pick<HandOverCode, 'verificationId' | 'linkVersion'>;

function signedText({ verificationId, linkVersion }: CodedLink, code: string): string {
  return `hand-over.${verificationId}.${linkVersion}.${code}`;
}

/** Returns why a code does not work at a time; null if it works. */
export function handOverEnd(code: HandOverCode, owner: CodeOwner, at: Date): HandOverEnd | null {
  if (code.spentAt !== null) return 'used';
  if (code.expiresAt <= at) return 'expired';
  return endOfOwner(code, owner, at);
}

/** Returns why the verification has no use for a code at a time; null if it has. */
function endOfOwner(
  { linkVersion, issuedAt }: Pick<HandOverCode, 'linkVersion' | 'issuedAt'>,
  owner: CodeOwner,
  at: Date,
): HandOverEnd | null {
  if (owner.linkVersion !== linkVersion) return 'renewed';
  // A reviewer may have asked for action after the submission that ended the code.
  const isSubmitted = owner.submittedAt !== null && owner.submittedAt > issuedAt;
  if (isSubmitted || !ANSWERABLE_STATUSES.includes(owner.status)) return 'closed';
  return owner.linkExpiresAt <= at ? 'expired' : null;
}

/** Returns from when the verification gets another code; null if it gets one at this time. */
export function nextHandOverAt(last: Pick<HandOverCode, 'countedFrom' | 'issued'>, at: Date): Date | null {
  const until = new Date(last.countedFrom.getTime() + HAND_OVER_WINDOW_MS);
  return last.issued >= MAX_HAND_OVERS && until > at ? until : null;
}

/**
 * Returns what is stored of a new code, which replaces the last one of its verification; null if the verification has no use for it
 * or had its `MAX_HAND_OVERS`.
 */
export function issuedHandOver(
  code: NewHandOver,
  owner: CodeOwner,
  last: Pick<HandOverCode, 'countedFrom' | 'issued'> | null,
): HandOverCode | null {
  const { issuedAt } = code;
  if (endOfOwner(code, owner, issuedAt) !== null) return null;
  const isFirst = last === null || last.countedFrom.getTime() + HAND_OVER_WINDOW_MS <= issuedAt.getTime();
  if (isFirst) return { ...code, spentAt: null, countedFrom: issuedAt, issued: 1 };
  if (last.issued >= MAX_HAND_OVERS) return null;
  return { ...code, spentAt: null, countedFrom: last.countedFrom, issued: last.issued + 1 };
}
