import type { WebhookMessage, WebhookResponse, WebhookSender } from '@countersign/domain/webhooks';
import { verdictOf } from '../src/response.ts';

export type RespondTo = (message: WebhookMessage) => Partial<WebhookResponse> | Promise<Partial<WebhookResponse>>;

/** A sender that keeps what it sends and responds without a network; 204 by default. */
export function respondingSender(respond: RespondTo = () => ({})): WebhookSender & { readonly sent: Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    async send(message) {
      sent.push({ ...message, ...(JSON.parse(message.body) as { type: string; data: Sent['data'] }) });
      const given = await respond(message);
      const { status = 204 } = given;
      const rest = { retryAfterSeconds: null, text: '', fault: null, durationMs: 1 };
      return { ...rest, verdict: verdictOf(status), ...given, status };
    },
  };
}

/** A message with its parsed body. */
export interface Sent extends WebhookMessage {
  readonly type: string;
  readonly data: { readonly verificationId: string; readonly sequence: number };
}
