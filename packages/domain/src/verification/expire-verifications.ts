import { requireMove } from './status.ts';
import { event, rejected, type Transition } from './transition.ts';
import type { Verification } from './verification.ts';

/** Expires a verification that was not completed in time. Final. */
export function expire(verification: Verification, now: Date): Transition {
  requireMove('expire', verification);
  const reasonCodes = ['expired'] as const;
  return {
    next: rejected(verification, { reasonCodes, message: null }, now),
    event: event('verification.expired', { reasonCodes }),
  };
}
