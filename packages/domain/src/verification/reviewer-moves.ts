import { issueLink } from './link.ts';
import { parseActionNeeded, parseRejection } from './review.ts';
import { requireMove } from './status.ts';
import { advanced, event, rejected, resolved, type Transition } from './transition.ts';
import type { Verification } from './verification.ts';

/** A reviewer accepts. Final. */
export function approve(verification: Verification, now: Date): Transition {
  requireMove('approve', verification);
  const decision = { outcome: 'approved', reasonCodes: [], message: null, decidedAt: now.toISOString() } as const;
  return {
    next: { ...resolved(verification), status: 'approved', resolvedAt: now, decision },
    event: event('verification.approved'),
  };
}

/** A reviewer refuses, for reasons. Final. @throws `INVALID_PARAMETERS` */
export function reject(verification: Verification, input: unknown, now: Date): Transition {
  requireMove('reject', verification);
  const { reasonCodes, message = null } = parseRejection(input);
  return {
    next: rejected(verification, { reasonCodes, message }, now),
    event: event('verification.rejected', { reasonCodes }),
  };
}

/** A reviewer asks for steps again. Only they reopen, and the subject gets a new link. @throws `INVALID_PARAMETERS` */
export function askForAction(
  verification: Verification,
  input: unknown,
  { now, linkLifetimeDays }: { now: Date; linkLifetimeDays: number },
): Transition {
  requireMove('askForAction', verification);
  const { message, items } = parseActionNeeded(verification.flow, input);
  const awaiting = [...new Set(items.map(({ step }) => step))];
  return {
    next: {
      ...advanced(verification),
      status: 'action_needed',
      sandboxOutcome: null,
      request: { message, items, requestedAt: now.toISOString() },
      awaiting,
      link: issueLink(verification.link.version + 1, now, linkLifetimeDays),
    },
    event: event('verification.action_requested', {
      items: items.map(({ step, reasonCode }) => ({ step, reasonCode })),
    }),
  };
}
