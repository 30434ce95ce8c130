import { CountersignError } from '../errors.ts';
import { parseInternalNote } from './review.ts';
import { requireMove } from './status.ts';
import { event, type Transition } from './transition.ts';
import type { Verification } from './verification.ts';

/** Who reviews, and when. */
interface Reviewing {
  readonly reviewerId: string;
  readonly now: Date;
}

/** A reviewer takes a case, so that no other decides it meanwhile. Null where they have it. @throws `CLAIMED_BY_ANOTHER` */
export function claim(verification: Verification, { reviewerId, now }: Reviewing): Transition | null {
  requireMove('claim', verification);
  requireUnclaimedByOthers(verification, reviewerId);
  if (verification.claim !== null) return null;
  return {
    next: { ...verification, version: verification.version + 1, claim: { reviewerId, claimedAt: now } },
    event: event('verification.claimed'),
  };
}

/** A reviewer gives a case back, their own or another's: the history tells who. Null where nobody has it. */
export function release(verification: Verification): Transition | null {
  requireMove('release', verification);
  if (verification.claim === null) return null;
  return {
    next: { ...verification, version: verification.version + 1, claim: null },
    event: event('verification.released'),
  };
}

/** A reviewer writes something for other reviewers. The event does not say what. @throws `INVALID_PARAMETERS` */
export function note(verification: Verification, input: unknown, { reviewerId, now }: Reviewing): Transition {
  requireMove('note', verification);
  const entry = { text: parseInternalNote(input), reviewerId, writtenAt: now.toISOString() };
  const internalNotes = [...verification.internalNotes, entry];
  return {
    next: { ...verification, version: verification.version + 1, internalNotes },
    event: event('verification.noted'),
  };
}

/** @throws CountersignError `CLAIMED_BY_ANOTHER` while somebody else works on it */
export function requireUnclaimedByOthers(verification: Verification, reviewerId: string): void {
  if (verification.status !== 'submitted') return;
  const { claim } = verification;
  if (claim === null || claim.reviewerId === reviewerId) return;
  throw new CountersignError('CLAIMED_BY_ANOTHER', 'Another reviewer is working on this verification');
}
