import type { ChangeVerification } from './change-verification.ts';
import { type ActionNeeded, parseInternalNote, type Rejection } from './decision.ts';
import {
  approve,
  askForAction,
  claim,
  note,
  reject,
  release,
  requireUnclaimedByOthers,
} from './reviewer-moves.ts';
import type { Transition } from './transition.ts';
import type { Verification } from './verification.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** Who decides, upon what they saw. */
export interface ReviewContext {
  readonly verificationId: string;
  /** The version on the reviewer's screen: when it is no longer the present one, nothing is decided. */
  readonly expectedVersion: number;
  readonly reviewerId: string;
  /** For other reviewers only; not with `claim`, `release` and `note`. */
  readonly internalNote?: string | undefined;
}

/**
 * What a reviewer does, for whichever client. Two who decide at once: one wins, the other gets `VERSION_CONFLICT`.
 * All throw `VERIFICATION_NOT_FOUND`, `VERSION_CONFLICT`, `ILLEGAL_TRANSITION` and `INVALID_PARAMETERS`.
 */
export interface ReviewVerification {
  /**
   * Takes a submitted case, so that others do not decide it. Whoever has it already keeps it as it is.
   * @throws `CLAIMED_BY_ANOTHER`
   */
  claim(context: ReviewContext): Promise<Verification>;
  /** Gives a case back: one's own, or one that a colleague left. The history tells who. */
  release(context: ReviewContext): Promise<Verification>;
  /** Writes for other reviewers, without a decision. 1–2000 characters. */
  note(context: ReviewContext, text: string): Promise<Verification>;
  /** Ends the claim, as the two below do. @throws `CLAIMED_BY_ANOTHER` while another reviewer has the case */
  approve(context: ReviewContext): Promise<Verification>;
  /** @throws `CLAIMED_BY_ANOTHER` */
  reject(context: ReviewContext, rejection: Rejection): Promise<Verification>;
  /** @throws `CLAIMED_BY_ANOTHER` */
  askForAction(context: ReviewContext, request: ActionNeeded): Promise<Verification>;
}

export function createReviewVerification(
  ports: { verifications: VerificationRepository; change: ChangeVerification },
  settings: { linkLifetimeDays: number },
): ReviewVerification {
  const { verifications, change } = ports;

  const byReviewer = ({ verificationId, expectedVersion, reviewerId }: ReviewContext) => ({
    find: () => verifications.findForAnyClient(verificationId),
    actor: { kind: 'reviewer', id: reviewerId } as const,
    expectedVersion,
  });

  /** A claim of somebody else is told before a changed version: it says more. */
  const unlessClaimed = ({ reviewerId }: ReviewContext) => ({
    refuse: (current: Verification) => requireUnclaimedByOthers(current, reviewerId),
  });

  async function decide(
    context: ReviewContext,
    decision: (current: Verification, now: Date) => Transition,
  ): Promise<Verification> {
    const { reviewerId, internalNote } = context;
    const text = internalNote === undefined ? null : parseInternalNote(internalNote);
    return change({
      ...byReviewer(context),
      ...unlessClaimed(context),
      decide: (current, now) => noted(decision(current, now), text, { reviewerId, now }),
    });
  }

  return {
    claim: (context) =>
      change({
        ...byReviewer(context),
        ...unlessClaimed(context),
        decide: (current, now) => claim(current, { reviewerId: context.reviewerId, now }),
      }),
    release: (context) => change({ ...byReviewer(context), decide: release }),
    note: (context, text) =>
      change({
        ...byReviewer(context),
        decide: (current, now) => note(current, text, { reviewerId: context.reviewerId, now }),
      }),
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
  const entry = { text, reviewerId, writtenAt: now.toISOString() };
  const { next } = transition;
  return { ...transition, next: { ...next, internalNotes: [...next.internalNotes, entry] } };
}
