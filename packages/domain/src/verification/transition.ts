import type { Happening } from './events.ts';
import { namedFiles } from './named-files.ts';
import type { Decision } from './review.ts';
import { commonOf, type RejectedVerification, type Verification } from './verification.ts';

/**
 * What a move comes to: a new state and what happened. Moves are pure functions in the files subject-moves.ts,
 * reviewer-moves.ts and client-moves.ts. Each throws `ILLEGAL_TRANSITION` where status.ts does not allow it, and
 * changes nothing of what it was given.
 */
export interface Transition {
  readonly next: Verification;
  readonly happening: Happening;
}

/** A change that is no event: nobody has to hear of it. */
export interface QuietTransition {
  readonly next: Verification;
  readonly happening: null;
}

export function happened(type: Happening['type'], data: Happening['data'] = {}): Happening {
  return { type, data };
}

/** The next version of what stays the same in any state. Drafts do not: they end with the state they belong to. */
export function advanced(verification: Verification): ReturnType<typeof commonOf> {
  return { ...commonOf(verification), version: verification.version + 1, drafts: {} };
}

/** The next version of what stays once it is decided: files that no answer names any more are let go, and no sandbox drives it. */
export function resolved(verification: Verification): ReturnType<typeof commonOf> {
  const named = namedFiles(verification);
  const files = verification.files.filter(({ id }) => named.has(id));
  return { ...advanced(verification), files, sandboxOutcome: null };
}

/** The end as rejected, by whoever brings it about. */
export function rejected(
  verification: Verification,
  { reasonCodes, message }: Pick<Decision, 'reasonCodes' | 'message'>,
  now: Date,
): RejectedVerification {
  const decision = { outcome: 'rejected', reasonCodes, message, decidedAt: now.toISOString() } as const;
  return { ...resolved(verification), status: 'rejected', resolvedAt: now, decision };
}
