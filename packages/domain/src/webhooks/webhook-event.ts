import type { JsonObject } from '../input/json.ts';
import type { EventType, VerificationEvent } from '../verification/events.ts';

/** Every type of webhook. An endpoint can ask for some of them. */
export const WEBHOOK_TYPES = [
  'verification.created',
  'verification.submitted',
  'verification.action_needed',
  'verification.approved',
  'verification.rejected',
  'verification.link_renewed',
  'verification.data_restricted',
  'verification.data_erased',
] as const;
/** The type of a webhook: one of `WEBHOOK_TYPES`. */
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** The webhook that each type of event is sent as. The others are not sent. */
const SENT_AS: Readonly<Partial<Record<EventType, WebhookType>>> = {
  'verification.created': 'verification.created',
  'verification.submitted': 'verification.submitted',
  'verification.action_requested': 'verification.action_needed',
  'verification.approved': 'verification.approved',
  'verification.rejected': 'verification.rejected',
  'verification.withdrawn': 'verification.rejected',
  'verification.expired': 'verification.rejected',
  'verification.link_renewed': 'verification.link_renewed',
  'verification.erasure_requested': 'verification.data_restricted',
  'verification.data_erased': 'verification.data_erased',
};

/** The types of events that are sent as webhooks. */
export const SENT_EVENT_TYPES: readonly EventType[] = Object.keys(SENT_AS) as EventType[];

/** Returns the type of webhook that an event is sent as; null if it is not sent. */
export function webhookTypeOf(type: EventType): WebhookType | null {
  return SENT_AS[type] ?? null;
}

/** Whether an event is sent as a webhook. Storages keep the others out of what `fanOut` reads. */
export function isSent({ type, data }: Pick<VerificationEvent, 'type' | 'data'>): boolean {
  return webhookTypeOf(type) !== null && data.silent !== true;
}

/** The body of a webhook: ids, status, times and reason codes, never personal data. */
export interface WebhookBody {
  readonly type: WebhookType;
  /** Time of the event: ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly verificationId: string;
    /** The status after the change. */
    readonly status: VerificationEvent['status'];
    /** Grows with each change of the verification. Some numbers are never sent. */
    readonly sequence: number;
    /** Why it was rejected or which steps have to be redone; empty for other webhooks. */
    readonly reasonCodes: readonly string[];
  };
}

/** Makes the body of an event's webhook. @throws Error if events of its type are not sent */
export function webhookBodyOf(event: VerificationEvent): WebhookBody {
  const type = webhookTypeOf(event.type);
  if (type === null) throw new Error(`${event.type} is not sent as a webhook`);
  const { verificationId, status, version: sequence, at, data } = event;
  return {
    type,
    timestamp: at.toISOString(),
    data: { verificationId, status, sequence, reasonCodes: reasonCodesIn(data) },
  };
}

/** Returns the reason codes of a decision, or of the steps to redo, each once. */
function reasonCodesIn({ reasonCodes, items }: JsonObject): string[] {
  const given = Array.isArray(reasonCodes) ? reasonCodes : Array.isArray(items) ? items.map(reasonOf) : [];
  return [...new Set(given.filter((code): code is string => typeof code === 'string'))];
}

function reasonOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'reasonCode' in item ? item.reasonCode : null;
}
