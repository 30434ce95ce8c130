export type { components, operations, paths } from './api-types.ts';
export { type CountersignClient, createClient } from './client.ts';
export {
  type ApiErrorCode,
  type ClientErrorCode,
  CountersignApiError,
  type ErrorCode,
  type ErrorData,
  type ErrorDetails,
} from './errors.ts';
export type { ClientOptions, Fetch, KeyMode } from './options.ts';
export type {
  CallOptions,
  CreatedVerification,
  CreateOptions,
  DataState,
  EraseOptions,
  ListedVerification,
  ListQuery,
  NewVerification,
  RelationshipEnd,
  Verification,
  VerificationDetails,
  VerificationPage,
  Verifications,
} from './verifications.ts';
export {
  type ReceivedWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookErrorCode,
  type WebhookOptions,
  type WebhookPayload,
  WebhookVerificationError,
} from './webhook.ts';
