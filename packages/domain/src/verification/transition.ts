import type { Happening } from './events.ts';
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

export function happened(type: Happening['type'], data: Happening['data'] = {}): Happening {
  return { type, data };
}

/** The next version of what stays the same in any state. */
export function advanced(verification: Verification): ReturnType<typeof commonOf> {
  return { ...commonOf(verification), version: verification.version + 1 };
}

/** The end as rejected, by whoever brings it about. */
export function rejected(
  verification: Verification,
  { reasonCodes, message }: Pick<Decision, 'reasonCodes' | 'message'>,
  now: Date,
): RejectedVerification {
  const decision = { outcome: 'rejected', reasonCodes, message, decidedAt: now.toISOString() } as const;
  return { ...advanced(verification), status: 'rejected', resolvedAt: now, decision };
}
