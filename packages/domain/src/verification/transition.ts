import type { CountersignError } from '../errors.ts';
import { isHeld } from '../retention/data-state.ts';
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
  /** The error of a move that is refused once. It is thrown after the change that records the refusal is committed. */
  readonly refusal?: CountersignError;
}

/** Makes the draft of an event. */
export function event(type: EventDraft['type'], data: EventDraft['data'] = {}): EventDraft {
  return { type, data };
}

/** Makes the transition to the next version, with what the move changed. */
export function changed(verification: Verification, draft: EventDraft): Transition {
  return { next: { ...verification, version: verification.version + 1 }, event: draft };
}

/** Makes the change to the next version that writes no event. */
export function quietly(verification: Verification, refusal?: CountersignError): QuietTransition {
  const next = { ...verification, version: verification.version + 1 };
  return { next, event: null, ...(refusal !== undefined && { refusal }) };
}

/** Returns the next version of the common fields, without drafts: they belong to the status they were saved in. */
export function advanced(verification: Verification): ReturnType<typeof commonOf> {
  return { ...commonOf(verification), version: verification.version + 1, drafts: {} };
}

/**
 * Returns the next version of the common fields after a decision: without drafts, files that no current or replaced answer names,
 * and a test outcome. A hold keeps drafts and files until the erasure. The retention job looks at it next and plans that.
 */
export function resolved(verification: Verification, now: Date): ReturnType<typeof commonOf> {
  const uploadsCheckAt = uploadsCheckOf(verification, now);
  return {
    ...advanced(verification),
    ...keptBeside(verification, now),
    sandboxOutcome: null,
    retentionCheckAt: now,
    uploadsCheckAt,
  };
}

/** Returns the files and drafts that a decision keeps: all of them while a hold prevents the erasure. */
function keptBeside(verification: Verification, now: Date): Pick<Verification, 'files' | 'drafts'> {
  const { files, drafts } = verification;
  if (isHeld(verification, now)) return { files, drafts };
  const named = filesEverNamed(verification);
  return { files: files.filter(({ id }) => named.has(id)), drafts: {} };
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
