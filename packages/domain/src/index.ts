export {
  type ApiKey,
  type ApiKeyState,
  apiKeyState,
  KEY_LIFETIMES_DAYS,
  type KeyLifetimeDays,
  type ListedKey,
  MAX_ACTIVE_KEYS,
  PERMISSIONS,
  type Permission,
  requirePermission,
} from './access/api-key.ts';
export type { Authenticate, Principal } from './access/authenticate.ts';
export type { IssuedKey, KeyOverview, ManageApiKeys, NewApiKey } from './access/manage-api-keys.ts';
export { canonicalNetwork, isInNetworks, MAX_KEY_NETWORKS } from './access/networks.ts';
export {
  type ApiRequest,
  type ListedRequest,
  RECENT_REQUESTS_KEPT,
  type RecentRequests,
} from './access/recent-requests.ts';
export type { As, Refusal } from './actions/as.ts';
export type { Caller, CallerContext, TeamCaller } from './actions/caller.ts';
export {
  AUDIT_ACTOR_KINDS,
  AUDIT_OUTCOMES,
  type AuditAction,
  type AuditActor,
  type AuditEntry,
  type AuditFact,
  type AuditOutcome,
  DATA_ERASED_ACTION,
  USE_KEY_ACTION,
} from './audit/audit-entry.ts';
export type { AuditExportEnd, ExportAudit, ExportedTo } from './audit/export-audit.ts';
export { type CallerRequestHeaders, callerRequestId, loggedId } from './audit/log-values.ts';
export type { ChainFault } from './audit/read-chain.ts';
export type { AuditFindings, VerifyAudit } from './audit/verify-audit.ts';
export { type Countersign, createCountersign } from './core/countersign.ts';
export type { CountersignPorts, CountersignSettings } from './core/countersign-ports.ts';
export {
  CountersignError,
  ERROR_MESSAGES,
  type ErrorCode,
  type ErrorData,
  type FaultSubject,
  faultBehind,
  type Issue,
  type IssueCode,
  invalidParameters,
  isCountersignError,
  VerificationFault,
} from './errors.ts';
export type { Days } from './fields/days.ts';
export type { JsonObject, JsonValue } from './input/json.ts';
export { DEFAULT_LANGUAGE, knownLanguage, LANGUAGES, type Language } from './input/languages.ts';
export { isStorableText } from './input/text.ts';
export { networkOf } from './rate-limit/client-address.ts';
export { type BeginDownload, DOWNLOAD_WAIT_MS, type DownloadCaller } from './rate-limit/download-slots.ts';
export { DEFAULT_REQUEST_RATES, type RateLimits, type RequestRates } from './rate-limit/rate-limit-policy.ts';
export type { RateLimit, RateLimitDecision, RateLimiter } from './rate-limit/rate-limiter.ts';
export type { DocumentReader, ReadRequest } from './reading/document-reader.ts';
export {
  type DocumentReading,
  type MrzBox,
  type ReadingOutcome,
  type ReadValue,
  readTexts,
  ruleOfRead,
} from './reading/document-reading.ts';
export type { StoredReading } from './reading/stored-reading.ts';
export type { Clock, Ids, SealingSecrets, Secrets } from './runtime.ts';
export type { DriveSandbox } from './sandbox/drive-sandbox.ts';
export type {
  JobState,
  ServiceFigures,
  ServiceState,
  ServiceStatus,
  WaitingToSend,
} from './staff/service-status.ts';
export type { BrowseRequest } from './verification/browse-request.ts';
export type { ClaimNextInput } from './verification/claim-next.ts';
export type {
  BrowsedPage,
  BrowsedVerification,
  OpenedVerification,
  VerificationSummary,
} from './verification/client-verifications.ts';
export type { CompleteVerification } from './verification/complete-verification.ts';
export type { CreateVerification, Creation } from './verification/create-verification.ts';
export {
  ACTION_REASONS,
  type ActionItem,
  type ActionNeeded,
  type ActionRequest,
  type Decision,
  type InternalNote,
  isAnsweredByFile,
  isSystemReason,
  MESSAGE_MAX,
  parseActionNeeded,
  parseInternalNote,
  parseRejection,
  REASON_CODES,
  REJECTION_REASONS,
  type ReasonCode,
  type Rejection,
  type SystemReason,
  systemReasonOf,
} from './verification/decision.ts';
export { isOverdue } from './verification/due-time.ts';
export {
  type Actor,
  EVENT_TYPES,
  type EventType,
  type HistoryEntry,
  type VerificationEvent,
} from './verification/events.ts';
export { EXPIRE_AFTER_DAYS, type ExpireVerifications } from './verification/expire-verifications.ts';
export { SUBJECT_TYPES, type SubjectType } from './verification/flow.ts';
export {
  HAND_OVER_LIFETIME_MS,
  HAND_OVER_WINDOW_MS,
  type HandOverEnd,
  MAX_HAND_OVERS,
} from './verification/hand-over-code.ts';
export { LINK_LIFETIME_DAYS } from './verification/link.ts';
export { LINK_RENEWALS_A_DAY } from './verification/link-renewals.ts';
export type { WithdrawVerification } from './verification/manage-verification.ts';
export {
  METADATA_MAX_BYTES,
  METADATA_MAX_DEPTH,
  SANDBOX_OUTCOMES,
  type SandboxOutcome,
} from './verification/metadata.ts';
export {
  type NewVerification,
  newVerificationSchema,
  SUBJECT_REFERENCE_MAX,
} from './verification/new-verification.ts';
export type { QueueSubject, QueueSubjectView } from './verification/queue-subjects.ts';
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
export type { DocumentReadings, OfferedPage, ReadingOffers } from './verification/readings/document-readings.ts';
export {
  type Mark,
  type MarkedAnswer,
  markedAnswers,
  ORIGINS,
  type Origin,
  type Origins,
} from './verification/readings/origins.ts';
export type { Prefill } from './verification/readings/prefill.ts';
export { mayShowZone, readAnswers } from './verification/readings/read-document.ts';
export { READING_WAIT_MS, type ReadingState } from './verification/readings/reading-state.ts';
export type {
  ReviewedVerification,
  ReviewQueueInput,
  ReviewQueueItem,
  ReviewQueuePage,
  ReviewSummary,
} from './verification/review-queue.ts';
export { isClaimedByOther, isMovePossible, type ReviewerMove } from './verification/reviewer-moves.ts';
export {
  type CaseDecision,
  type CaseSearch,
  FOUND_CASES_MAX,
  type FoundCase,
  type FoundCases,
  SEARCHED_CLIENTS_MAX,
} from './verification/search-cases.ts';
export { shortReference } from './verification/short-reference.ts';
export {
  ACTIVE_STATUSES,
  type ActiveStatus,
  isActive,
  type Move,
  STATUSES,
  type Status,
  type StatusCounts,
  targetOf,
} from './verification/status.ts';
export { SUBJECT_SESSION_IDLE_MS, type SubjectAccess } from './verification/subject-access.ts';
export type { HandOver, HandOverReference, SubjectHandOvers } from './verification/subject-hand-overs.ts';
export { subjectNameOf } from './verification/subject-name.ts';
export type { TeamDay } from './verification/team-day.ts';
export {
  type Claim,
  type CompletedStep,
  type CompletedSteps,
  type Drafts,
  type EarlierAnswers,
  type Hold,
  type Opening,
  submittedDataOf,
  type Verification,
} from './verification/verification.ts';
export { SORT_FIELDS, type SortField } from './verification/verification-repository.ts';
export {
  type CreatedVerification,
  DATA_ERRORS,
  type DataError,
  type DocumentView,
  type ListedVerification,
  STEP_STATES,
  type StepView,
  type VerificationDetails,
  type VerificationView,
} from './verification/views.ts';
export type {
  RecomputedWarnings,
  RecomputeOptions,
  RecomputeWarnings,
} from './verification/warnings/recompute-warnings.ts';
export {
  hasToBeChecked,
  kindOfWarning,
  type NumberCheck,
  type NumberChecks,
  type OtherCase,
  type ReviewWarning,
  SEVERITIES,
  SEVERITIES_TO_CHECK,
  type Severity,
  WARNING_CODES,
  type WarningCode,
  type WarningKind,
  warningKey,
} from './verification/warnings/review-warning.ts';
