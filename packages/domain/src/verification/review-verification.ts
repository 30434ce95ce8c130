import type { ChangeVerification } from './change-verification.ts';
import { type ActionNeeded, parseInternalNote, type Rejection } from './review.ts';
import { approve, askForAction, reject } from './reviewer-moves.ts';
import type { Transition } from './transition.ts';
import type { Verification } from './verification.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** Who decides, upon what they saw. */
export interface ReviewContext {
  readonly verificationId: string;
  /** The version on the reviewer's screen: when it is no longer the present one, nothing is decided. */
  readonly expectedVersion: number;
  readonly reviewerId: string;
  /** For other reviewers only. */
  readonly internalNote?: string | undefined;
}

/**
 * What a reviewer does, for whichever client. Two who decide at once: one wins, the other gets `VERSION_CONFLICT`.
 * All throw `VERIFICATION_NOT_FOUND`, `VERSION_CONFLICT`, `ILLEGAL_TRANSITION` and `INVALID_PARAMETERS`.
 */
export interface ReviewVerification {
  approve(context: ReviewContext): Promise<Verification>;
  reject(context: ReviewContext, rejection: Rejection): Promise<Verification>;
  askForAction(context: ReviewContext, request: ActionNeeded): Promise<Verification>;
}

export function createReviewVerification(
  ports: { verifications: VerificationRepository; change: ChangeVerification },
  settings: { linkLifetimeDays: number },
): ReviewVerification {
  const { verifications, change } = ports;

  async function decide(
    { verificationId, expectedVersion, reviewerId, internalNote }: ReviewContext,
    decision: (current: Verification, now: Date) => Transition,
  ): Promise<Verification> {
    const note = internalNote === undefined ? null : parseInternalNote(internalNote);
    return change({
      find: () => verifications.findForAnyClient(verificationId),
      decide: (current, now) => noted(decision(current, now), note, { reviewerId, now }),
      actor: { kind: 'reviewer', id: reviewerId },
      expectedVersion,
    });
  }

  return {
    approve: (context) => decide(context, approve),
    reject: (context, rejection) => decide(context, (current, now) => reject(current, rejection, now)),
    askForAction: (context, request) =>
      decide(context, (current, now) => askForAction(current, request, { now, ...settings })),
  };
}

function noted(
  transition: Transition,
  text: string | null,
  { reviewerId, now }: { reviewerId: string; now: Date },
): Transition {
  if (text === null) return transition;
  const note = { text, reviewerId, writtenAt: now.toISOString() };
  const { next } = transition;
  return { ...transition, next: { ...next, internalNotes: [...next.internalNotes, note] } };
}
