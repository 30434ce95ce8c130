export { parseNetworks } from './address-filter.ts';
export type { AroundAttempt, AttemptOutcome } from './endpoint-worker.ts';
export type { ResolveName } from './resolve.ts';
export {
  startWebhookDispatcher,
  type WebhookDispatcher,
  type WebhookDispatcherOptions,
} from './webhook-dispatcher.ts';
export { createWebhookSender, type HttpWebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';
