import { CountersignError } from '../errors.ts';
import type { JsonObject } from '../input/json.ts';
import { parseActionNeeded, parseInternalNote, parseRejection } from './decision.ts';
import { issueLink } from './link.ts';
import { type Move, requireMove, type Status, targetOf } from './status.ts';
import { advanced, changed, event, rejected, resolved, type Transition } from './transition.ts';
import type { Claim, Verification } from './verification.ts';

/** A reviewer approves. Final. */
export function approve(verification: Verification, now: Date): Transition {
  requireMove('approve', verification);
  const decision = { outcome: 'approved', reasonCodes: [], message: null, decidedAt: now.toISOString() } as const;
  return {
    next: { ...resolved(verification, now), status: 'approved', resolvedAt: now, decision },
    event: event('verification.approved'),
  };
}

/** A reviewer rejects. Final. @throws CountersignError `INVALID_PARAMETERS` */
export function reject(verification: Verification, input: unknown, now: Date): Transition {
  requireMove('reject', verification);
  const { reasonCodes, message = null } = parseRejection(input);
  return {
    next: rejected(verification, { reasonCodes, message }, now),
    event: event('verification.rejected', { reasonCodes }),
  };
}

/**
 * A reviewer, or test mode without one, asks the subject to redo steps. Only these reopen. The link stays the same and is
 * extended. When the subject submits again, the reviewer has the claim.
 * @throws CountersignError `INVALID_PARAMETERS`
 */
export function askForAction(
  verification: Verification,
  input: unknown,
  context: { reviewerId: string | null; now: Date; linkLifetimeDays: number },
): Transition {
  const { reviewerId, now, linkLifetimeDays } = context;
  requireMove('askForAction', verification);
  const { message, items } = parseActionNeeded(verification.flow, input);
  const awaiting = [...new Set(items.map(({ step }) => step))];
  return {
    next: {
      ...advanced(verification),
      files: verification.files.map(({ isUnchanged: _, ...file }) => file),
      status: 'action_needed',
      sandboxOutcome: null,
      request: { message, items, requestedAt: now.toISOString(), requestedBy: reviewerId },
      awaiting,
      link: issueLink(verification.link.version, now, linkLifetimeDays),
    },
    event: event('verification.action_requested', {
      items: items.map(({ note: _, ...item }) => item as JsonObject),
    }),
  };
}

/** The reviewer and the time. */
interface Reviewing {
  readonly reviewerId: string;
  readonly now: Date;
}

/** A reviewer claims a verification. Null if they have claimed it already. @throws CountersignError `CLAIMED_BY_ANOTHER` */
export function claim(verification: Verification, { reviewerId, now }: Reviewing): Transition | null {
  requireMove('claim', verification);
  requireUnclaimedByOthers(verification, reviewerId);
  if (verification.claim !== null) return null;
  const claim = { reviewerId, claimedAt: now };
  return changed({ ...verification, claim }, event('verification.claimed'));
}

/** A reviewer releases a claim, their own or another's. Null without a claim. */
export function release(verification: Verification): Transition | null {
  requireMove('release', verification);
  if (verification.claim === null) return null;
  return changed({ ...verification, claim: null }, event('verification.released'));
}

/**
 * A reviewer gives the claim to a colleague, also from another reviewer. Null if the colleague has it already. The event is a claim
 * that names the colleague.
 */
export function handOver(
  verification: Verification,
  to: string,
  { now }: Pick<Reviewing, 'now'>,
): Transition | null {
  requireMove('claim', verification);
  if (verification.claim?.reviewerId === to) return null;
  const claim = { reviewerId: to, claimedAt: now };
  return changed({ ...verification, claim }, event('verification.claimed', { reviewerId: to }));
}

/** A reviewer adds a note for other reviewers. The event does not contain it. @throws CountersignError `INVALID_PARAMETERS` */
export function note(verification: Verification, input: unknown, { reviewerId, now }: Reviewing): Transition {
  requireMove('note', verification);
  const entry = { text: parseInternalNote(input), reviewerId, writtenAt: now.toISOString() };
  const internalNotes = [...verification.internalNotes, entry];
  return changed({ ...verification, internalNotes }, event('verification.noted'));
}

/** A move of a reviewer. */
export type ReviewerMove = Extract<Move, 'claim' | 'release' | 'note' | 'approve' | 'reject' | 'askForAction'>;

/**
 * Whether the move would change a verification now: its status allows the move, and no other reviewer's claim prevents
 * it. For pages; the moves check again.
 */
export function isMovePossible(
  move: ReviewerMove,
  { status, claim }: { readonly status: Status; readonly claim: Claim | null },
  reviewerId: string,
): boolean {
  if (targetOf(move, status) === null) return false;
  switch (move) {
    case 'claim':
      return claim === null;
    case 'release':
      return claim !== null;
    case 'note':
      return true;
    default:
      return !isClaimedByOther(claim, reviewerId);
  }
}

/** Whether another reviewer holds the claim. */
export function isClaimedByOther(claim: Claim | null, reviewerId: string): boolean {
  return claim !== null && claim.reviewerId !== reviewerId;
}

/** Requires that no other reviewer has claimed the verification. @throws CountersignError `CLAIMED_BY_ANOTHER` */
export function requireUnclaimedByOthers(verification: Verification, reviewerId: string): void {
  if (verification.status !== 'submitted' || !isClaimedByOther(verification.claim, reviewerId)) return;
  throw new CountersignError('CLAIMED_BY_ANOTHER');
}
