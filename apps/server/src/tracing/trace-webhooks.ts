import { type WebhookSender, webhookTypeOf } from '@countersign/domain/webhooks';
import type { AroundAttempt } from '@countersign/webhooks';
import type { Spans } from './spans.ts';
import { traceparentOfEvent } from './trace-storage.ts';

/** Makes each attempt to send a webhook a span of the trace in which its event was written. */
export function traceAttempts(spans: Spans): AroundAttempt {
  return (event, attempt) => {
    const start = { name: `webhook ${webhookTypeOf(event.type)}`, parent: traceparentOfEvent(event) };
    return spans.run(start, attempt);
  };
}

/** Wraps a sender so that each request is a span. The address of the receiver is never added. */
export function traceSender<S extends WebhookSender>(sender: S, spans: Spans): S {
  const attributes = { 'http.request.method': 'POST' };
  return {
    ...sender,
    send: (message) =>
      spans.run({ name: 'POST', kind: 'client', attributes }, async (span) => {
        const response = await sender.send(message);
        const { status, verdict } = response;
        span.set({ 'http.response.status_code': status ?? undefined, 'countersign.webhook.verdict': verdict });
        if (verdict !== 'accepted') {
          span.set({ 'error.type': status === null ? '_OTHER' : String(status) });
          span.fail();
        }
        return response;
      }),
  };
}
