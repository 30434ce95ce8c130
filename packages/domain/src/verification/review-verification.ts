import { invalidParameters } from '../errors.ts';
import type { ReadFlowRules } from '../subscription/flow-rules.ts';
import type { Change, ChangeVerification } from './change-verification.ts';
import { type ActionNeeded, parseInternalNote, type Rejection } from './decision.ts';
import { findWithRules } from './find-with-rules.ts';
import {
  approve,
  askForAction,
  claim,
  handOver,
  note,
  reject,
  release,
  requireUnclaimedByOthers,
} from './reviewer-moves.ts';
import type { Transition } from './transition.ts';
import type { Verification } from './verification.ts';
import type { VerificationRepository } from './verification-repository.ts';
import type { ReadWarnings } from './warnings/read-warnings.ts';
import { hasToBeChecked, kindOfWarning, warningKey } from './warnings/review-warning.ts';

/** The reviewer, and the version of the verification that they saw. */
export interface ReviewContext {
  readonly verificationId: string;
  /** The version on the reviewer's screen. If it is not the current one, nothing is decided. */
  readonly expectedVersion: number;
  readonly reviewerId: string;
  /** For other reviewers only; not with `claim`, `release` and `note`. */
  readonly internalNote?: string | undefined;
}

/**
 * Decides verifications of all clients.
 *
 * Concurrency: of two reviewers who decide at once, one wins; the other gets `VERSION_CONFLICT`.
 * @throws CountersignError `VERIFICATION_NOT_FOUND`, `VERSION_CONFLICT`, `ILLEGAL_TRANSITION`, `INVALID_PARAMETERS`
 */
export interface ReviewVerification {
  /**
   * Claims a submitted verification, so that other reviewers cannot decide it. The reviewer's own claim does not change.
   * @throws CountersignError `CLAIMED_BY_ANOTHER`
   */
  claim(context: ReviewContext): Promise<Verification>;
  /** Releases a claim, the reviewer's own or a colleague's. */
  release(context: ReviewContext): Promise<Verification>;
  /**
   * Gives the claim to another reviewer, from no one, the caller or a colleague. If that reviewer has it already, nothing changes but for
   * the note.
   * @param to id of a user who may decide verifications
   */
  handOver(context: ReviewContext, to: string): Promise<Verification>;
  /** Adds a note for other reviewers, at most `MESSAGE_MAX` characters. */
  note(context: ReviewContext, text: string): Promise<Verification>;
  /**
   * Approves and ends the claim.
   * @param checked keys of the warnings that the reviewer checked (`warningKey`): an approval without each that `hasToBeChecked` is refused with
   * `INVALID_PARAMETERS` at `checkedWarnings`. Undefined: no warning has to be checked, as in a console without boxes to tick
   * @throws CountersignError `CLAIMED_BY_ANOTHER`
   */
  approve(context: ReviewContext, checked?: readonly string[]): Promise<Verification>;
  /** Rejects and ends the claim. @throws CountersignError `CLAIMED_BY_ANOTHER` */
  reject(context: ReviewContext, rejection: Rejection): Promise<Verification>;
  /**
   * Reopens steps for the subject. The link stays the same and is extended. The reviewer has the claim again when the
   * subject submits. @throws CountersignError `CLAIMED_BY_ANOTHER`
   */
  askForAction(context: ReviewContext, request: ActionNeeded): Promise<Verification>;
}

export function createReviewVerification(ports: {
  verifications: VerificationRepository;
  change: ChangeVerification;
  readFlowRules: ReadFlowRules;
  readWarnings: ReadWarnings;
}): ReviewVerification {
  const { verifications, change, readFlowRules, readWarnings } = ports;

  const byReviewer = ({ verificationId, expectedVersion, reviewerId }: ReviewContext) => ({
    find: () => verifications.findForAnyClient(verificationId),
    actor: { kind: 'reviewer', id: reviewerId } as const,
    expectedVersion,
  });

  /** Another reviewer's claim is reported before a changed version, because it explains more. */
  const unlessClaimed = ({ reviewerId }: ReviewContext) => ({
    refuse: (current: Verification) => requireUnclaimedByOthers(current, reviewerId),
  });

  /** What another reviewer changed meanwhile is reported before missing checks. */
  async function requireChecked(
    current: Verification,
    { expectedVersion }: ReviewContext,
    checked: readonly string[] | undefined,
  ): Promise<void> {
    if (checked === undefined) return;
    if (current.status !== 'submitted' || current.version !== expectedVersion) return;
    const toCheck = (await readWarnings(current)).filter(({ code }) =>
      hasToBeChecked(kindOfWarning(code).severity),
    );
    const keys = new Set(toCheck.map(warningKey));
    const missing = [...keys].filter((key) => !checked.includes(key));
    if (missing.length > 0)
      throw invalidParameters(
        missing.map((key) => ({ path: 'checkedWarnings', code: 'required', message: `must name ${key}` })),
      );
  }

  async function decide(
    context: ReviewContext,
    decision: (current: Verification, now: Date) => Transition,
    { find, refuse }: Partial<Pick<Change, 'find' | 'refuse'>> = {},
  ): Promise<Verification> {
    const { reviewerId, internalNote } = context;
    const text = internalNote === undefined ? null : parseInternalNote(internalNote);
    return change({
      ...byReviewer(context),
      ...(find && { find }),
      async refuse(current) {
        requireUnclaimedByOthers(current, reviewerId);
        await refuse?.(current);
      },
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
    async handOver(context, to) {
      const { reviewerId, internalNote } = context;
      const text = internalNote === undefined ? null : parseInternalNote(internalNote);
      return change({
        ...byReviewer(context),
        decide(current, now) {
          const transition = handOver(current, to, { now });
          if (transition !== null) return noted(transition, text, { reviewerId, now });
          return text === null ? null : note(current, text, { reviewerId, now });
        },
      });
    },
    note: (context, text) =>
      change({
        ...byReviewer(context),
        decide: (current, now) => note(current, text, { reviewerId: context.reviewerId, now }),
      }),
    approve: (context, checked) =>
      decide(context, approve, { refuse: (current) => requireChecked(current, context, checked) }),
    reject: (context, rejection) => decide(context, (current, now) => reject(current, rejection, now)),
    askForAction(context, request) {
      const { find, rules } = findWithRules(byReviewer(context).find, readFlowRules);
      const { reviewerId } = context;
      const ask = (current: Verification, now: Date) =>
        askForAction(current, request, { reviewerId, now, linkLifetimeDays: rules().linkDays });
      return decide(context, ask, { find });
    },
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
