export {
  type ApiKey,
  type ApiKeyState,
  apiKeyState,
  KEY_LIFETIMES_DAYS,
  type KeyLifetimeDays,
  MAX_ACTIVE_KEYS,
} from './access/api-key.ts';
export type { ApiKeyRepository, ResolvedKey } from './access/api-key-repository.ts';
export type { Authenticate, Principal } from './access/authenticate.ts';
export type { ManageApiKeys, NewApiKey } from './access/manage-api-keys.ts';
export { type NeededPermission, PERMISSIONS, type Permission, requirePermission } from './access/permission.ts';
export {
  type Countersign,
  type CountersignPorts,
  type CountersignSettings,
  createCountersign,
} from './countersign.ts';
export {
  CountersignError,
  type ErrorCode,
  type ErrorData,
  type Issue,
  invalidParameters,
  isCountersignError,
} from './errors.ts';
export {
  EVIDENCE_CONTENT_TYPES,
  EVIDENCE_KINDS,
  EVIDENCE_MAX_BYTES,
  EVIDENCE_MAX_FILES,
  type EvidenceContentType,
  type EvidenceFile,
  type EvidenceKind,
} from './evidence/evidence-file.ts';
export type { JsonObject, JsonValue } from './json.ts';
export { DEFAULT_REQUEST_RATES, type RateLimits, type RequestRates } from './rate-limit/rate-limit-policy.ts';
export type { RateLimit, RateLimitDecision, RateLimiter } from './rate-limit/rate-limiter.ts';
export type { Clock } from './runtime/clock.ts';
export type { Ids } from './runtime/ids.ts';
export type { Secrets } from './runtime/secrets.ts';
export type { Storage } from './storage.ts';
export type { Client } from './subscription/client.ts';
export type {
  ClientRepository,
  ClientWithSubscription,
  SubscriptionChange,
} from './subscription/client-repository.ts';
export type { ManageClients, NewClient, SubscriptionSettings } from './subscription/manage-clients.ts';
export { DEFAULT_MONTHLY_LIMIT, PLANS, type Plan } from './subscription/plan.ts';
export { type Month, monthOf, type Usage } from './subscription/quota.ts';
export {
  allowanceOf,
  isSubscriptionActive,
  SUBSCRIPTION_STATUSES,
  type Subscription,
  type SubscriptionStatus,
} from './subscription/subscription.ts';
export { CopyError, type CopyErrorCode } from './transfer/copy-error.ts';
export { type CopyOptions, type CopyProgress, type CopyResult, copyStorage } from './transfer/copy-storage.ts';
export {
  compareTransferKeys,
  type EventEntry,
  TRANSFER_KINDS,
  type TransferEntries,
  type TransferKey,
  type TransferKind,
  transferKeyOf,
  type UsageEntry,
} from './transfer/transfer-entries.ts';
export type { TransferSource, TransferTarget } from './transfer/transfer-ports.ts';
export type { Actor } from './verification/actor.ts';
export type {
  CompleteVerification,
  NewEvidenceFile,
  SubjectAccess,
} from './verification/complete-verification.ts';
export type { CreateVerification, Creation } from './verification/create-verification.ts';
export { EVENT_TYPES, type EventType, type HistoryEntry, type VerificationEvent } from './verification/events.ts';
export { type StepKey, SUBJECT_TYPES, type SubjectType, stepsOf } from './verification/flow.ts';
export type { ManagedVerification, ManageVerification } from './verification/manage-verification.ts';
export { METADATA_MAX_BYTES, METADATA_MAX_DEPTH } from './verification/metadata.ts';
export { type NewVerification, newVerificationSchema } from './verification/new-verification.ts';
export type { LeasedEvent, LeaseHold, LeaseOutcome, Outbox } from './verification/outbox.ts';
export {
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  LIST_PAGE_MAX,
  type ListQuery,
  listQuerySchema,
  type Pagination,
  type ReadVerifications,
  type VerificationPage,
} from './verification/read-verifications.ts';
export {
  ACTION_REASONS,
  type ActionItem,
  type ActionNeeded,
  type ActionRequest,
  type Decision,
  type InternalNote,
  REASON_CODES,
  REJECTION_REASONS,
  type ReasonCode,
  type Rejection,
} from './verification/review.ts';
export type { ReviewContext, ReviewVerification } from './verification/review-verification.ts';
export { ACTIVE_STATUSES, type ActiveStatus, isActive, STATUSES, type Status } from './verification/status.ts';
export type { CompletedStep, CompletedSteps, EarlierAnswers, Verification } from './verification/verification.ts';
export type { VerificationRecord } from './verification/verification-record.ts';
export {
  type Admission,
  type AdmissionOutcome,
  SORT_FIELDS,
  type SortField,
  type VerificationQuery,
  type VerificationRepository,
} from './verification/verification-repository.ts';
export {
  type CreatedVerification,
  STEP_STATES,
  type StepView,
  type VerificationDetails,
  type VerificationView,
} from './verification/views.ts';
