/** Webhooks: endpoints and their secrets, what is sent, retries, and the port that sends. */

export {
  createForgetDeliveries,
  DELIVERIES_KEPT_DAYS,
  type ForgetDeliveries,
} from '../webhooks/forget-deliveries.ts';
export {
  type EndpointMove,
  type EndpointSettings,
  type EndpointSettingsChange,
  type EndpointWithSecret,
  isEndpointMovePossible,
  type ListedEndpoint,
  type WebhookTest,
  type WebhookTestBody,
} from '../webhooks/manage-webhooks.ts';
export {
  type AttemptResult,
  afterAttempt,
  FAILING_LIMIT_MS,
  LONGEST_WAIT_MS,
  pausedIfFailingSince,
  RECOVERY,
  RETRY_WAITS_MS,
  type WebhookVerdict,
} from '../webhooks/retry-plan.ts';
export {
  ENDPOINT_STATES,
  type EndpointState,
  isPausedAfterFailures,
  MAX_REPLACED_SECRETS,
  MAX_WEBHOOK_ENDPOINTS,
  type ReplacedSecret,
  SECRET_OVERLAP_HOURS,
  type StoredSecret,
  signingSecrets,
  type WebhookEndpoint,
} from '../webhooks/webhook-endpoint.ts';
export {
  isSent,
  SENT_EVENT_TYPES,
  WEBHOOK_TYPES,
  type WebhookBody,
  type WebhookType,
  webhookBodyOf,
  webhookTypeOf,
} from '../webhooks/webhook-event.ts';
export { type DeliveryPage, LOG_PAGE } from '../webhooks/webhook-log.ts';
export {
  WEBHOOK_DEADLINE_MS,
  type WebhookMessage,
  type WebhookResponse,
  type WebhookSender,
} from '../webhooks/webhook-sender.ts';
