import type { WebhookVerdict } from './retry-plan.ts';

/** How long a request may take, from the look-up of the host name to the end of the response. */
export const WEBHOOK_DEADLINE_MS = 15_000;

/** A request to an endpoint: an attempt of a delivery, or a test. */
export interface WebhookMessage {
  /** `webhook-id`. Each attempt of an event has the same. */
  readonly id: string;
  readonly url: string;
  /** The body: JSON. */
  readonly body: string;
  /** The secrets that sign the request, `whsec_…`, at least one. */
  readonly secrets: readonly string[];
  /** `webhook-timestamp`: when this attempt is made. */
  readonly at: Date;
}

/** Result of a request to an endpoint. */
export interface WebhookResponse extends WebhookVerdict {
  /** HTTP status; null if no response came. */
  readonly status: number | null;
  /** The first `RESPONSE_KEPT` characters of the response's body, without control characters; null without a response. */
  readonly text: string | null;
  /** A sentence that says why there was no response; null with one. */
  readonly fault: string | null;
  readonly durationMs: number;
}

/** Sends webhooks. */
export interface WebhookSender {
  /** Signs a message and sends it once. Does not reject: `fault` says why no response came. */
  send(message: WebhookMessage): Promise<WebhookResponse>;
}
