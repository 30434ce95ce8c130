export { type Network, parseNetworks } from './address-filter.ts';
export type { ResolveName } from './resolve.ts';
export { createWebhookSender, type HttpWebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';
