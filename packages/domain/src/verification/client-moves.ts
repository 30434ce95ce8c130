import { issueLink } from './link.ts';
import { requireMove } from './status.ts';
import { event, rejected, type Transition } from './transition.ts';
import type { Verification } from './verification.ts';

/** The client or an operator takes the request back before it was decided. Final. */
export function withdraw(verification: Verification, now: Date): Transition {
  requireMove('withdraw', verification);
  const reasonCodes = ['withdrawn'] as const;
  return {
    next: rejected(verification, { reasonCodes, message: null }, now),
    event: event('verification.withdrawn', { reasonCodes }),
  };
}

/** The subject gets a new link; the one before stops working. */
export function renewLink(
  verification: Verification,
  { now, linkLifetimeDays }: { now: Date; linkLifetimeDays: number },
): Transition {
  requireMove('renewLink', verification);
  const link = issueLink(verification.link.version + 1, now, linkLifetimeDays);
  return {
    next: { ...verification, version: verification.version + 1, link },
    event: event('verification.link_renewed', { linkVersion: link.version }),
  };
}
