import { z } from 'zod';
import { type ActionItem, REASON_CODES } from '../verification/decision.ts';
import type { VerificationEvent } from '../verification/events.ts';
import { STEP_KEYS } from '../verification/flow.ts';

/** A request to answer steps again, as its event stores it: without message and notes. */
export interface PastRequest {
  readonly requestedAt: Date;
  readonly items: readonly Omit<ActionItem, 'note'>[];
}

const itemSchema = z.object({
  step: z.enum(STEP_KEYS),
  reasonCode: z.enum(REASON_CODES),
  field: z.string().optional(),
});

/** An erasure empties the data of events. */
const dataSchema = z.object({ items: z.array(itemSchema).default([]) });

/** Lists what the event of a request asks for; nothing for other events. */
export function itemsAskedIn({ type, data }: Pick<VerificationEvent, 'type' | 'data'>): PastRequest['items'] {
  return type === 'verification.action_requested' ? dataSchema.parse(data).items : [];
}

/** Lists the requests for action in the history, oldest first. */
export function requestsForAction(events: readonly VerificationEvent[]): readonly PastRequest[] {
  return events
    .filter(({ type }) => type === 'verification.action_requested')
    .map((event) => ({ requestedAt: event.at, items: itemsAskedIn(event) }));
}
