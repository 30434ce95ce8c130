import { z } from 'zod';
import { type ActionItem, REASON_CODES } from '../verification/decision.ts';
import type { VerificationEvent } from '../verification/events.ts';
import { STEP_KEYS } from '../verification/flow.ts';

/** A request to answer steps again, as its event stores it: without message and notes. */
export interface PastRequest {
  readonly requestedAt: Date;
  readonly items: readonly Pick<ActionItem, 'step' | 'reasonCode'>[];
}

/** An erasure empties the data of events. */
const dataSchema = z.object({
  items: z.array(z.object({ step: z.enum(STEP_KEYS), reasonCode: z.enum(REASON_CODES) })).default([]),
});

/** Lists the requests for action in the history, oldest first. */
export function requestsForAction(events: readonly VerificationEvent[]): readonly PastRequest[] {
  return events
    .filter(({ type }) => type === 'verification.action_requested')
    .map(({ at, data }) => ({ requestedAt: at, items: dataSchema.parse(data).items }));
}
