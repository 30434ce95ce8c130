import type { Decision } from './decision.ts';
import type { EventDraft } from './events.ts';
import { uploadsCheckOf } from './replaced-uploads.ts';
import { commonOf, filesEverNamed, type RejectedVerification, type Verification } from './verification.ts';

/**
 * The result of a move: the next state and the event to write. Moves are pure functions in subject-moves.ts,
 * reviewer-moves.ts, manage-verification.ts and expire-verifications.ts. Each throws `ILLEGAL_TRANSITION` where status.ts does not allow
 * it, and never changes its arguments.
 */
export interface Transition {
  readonly next: Verification;
  readonly event: EventDraft;
  /** The version of an earlier event that says the same: the new event replaces it. */
  readonly supersededVersion?: number | undefined;
}

/** A change that writes no event. */
export interface QuietTransition {
  readonly next: Verification;
  readonly event: null;
}

/** Makes the draft of an event. */
export function event(type: EventDraft['type'], data: EventDraft['data'] = {}): EventDraft {
  return { type, data };
}

/** Returns the next version of the common fields, without drafts: they belong to the status they were saved in. */
export function advanced(verification: Verification): ReturnType<typeof commonOf> {
  return { ...commonOf(verification), version: verification.version + 1, drafts: {} };
}

/**
 * Returns the next version of the common fields after a decision: without files that no current or replaced answer names, and
 * without a sandbox outcome. The retention job looks at it next and plans when its data is erased.
 */
export function resolved(verification: Verification, now: Date): ReturnType<typeof commonOf> {
  const named = filesEverNamed(verification);
  const files = verification.files.filter(({ id }) => named.has(id));
  const uploadsCheckAt = uploadsCheckOf(verification, now);
  return { ...advanced(verification), files, sandboxOutcome: null, retentionCheckAt: now, uploadsCheckAt };
}

/** Returns the verification as rejected, by a reviewer, by a withdrawal or because it expired. */
export function rejected(
  verification: Verification,
  { reasonCodes, message }: Pick<Decision, 'reasonCodes' | 'message'>,
  now: Date,
): RejectedVerification {
  const decision = { outcome: 'rejected', reasonCodes, message, decidedAt: now.toISOString() } as const;
  return { ...resolved(verification, now), status: 'rejected', resolvedAt: now, decision };
}
