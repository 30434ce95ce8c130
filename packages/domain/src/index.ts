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
export type { ApiKeyRepository, ResolvedKey } from './access/api-key-repository.ts';
export type { Authenticate, Principal } from './access/authenticate.ts';
export type { IssuedKey, KeyOverview, ManageApiKeys, NewApiKey } from './access/manage-api-keys.ts';
export {
  type ApiRequest,
  type ListedRequest,
  RECENT_REQUESTS_KEPT,
  type RecentRequests,
} from './access/recent-requests.ts';
export type { AccountActions } from './actions/account.ts';
export { type Action, type ActionEntry, defineAction } from './actions/action.ts';
export {
  getApiKey,
  issueApiKey,
  listApiKeys,
  listApiRequests,
  revokeApiKey,
  rotateApiKey,
} from './actions/api-keys.ts';
export type { As, Refusal } from './actions/as.ts';
export { type AuditRequest, listAudit } from './actions/audit.ts';
export type { Caller, CallerContext, TeamCaller } from './actions/caller.ts';
export { ACCOUNT_ACTIONS, ACTIONS, AUDIT_ACTIONS } from './actions/catalogue.ts';
export {
  type ChangeSubscriptionInput,
  changeReturnAddresses,
  changeSubscription,
  createClient,
  getClient,
  getOwnClient,
  getTestTwin,
  issueClientKey,
  issueFirstClientKey,
  listClientKeys,
  listClients,
  readClientMonth,
  readClientUsage,
  readOwnMonth,
  readOwnUsage,
  revokeClientKey,
  searchClients,
  setReturnAddresses,
  switchFileAccess,
} from './actions/clients.ts';
export { declineExport, listExports, readExport, releaseExport } from './actions/exports.ts';
export { changeFace, changeLogo, getClientFace, getOwnFace, removeLogo } from './actions/face.ts';
export { readServiceState } from './actions/operations.ts';

export {
  endVerificationRelationship,
  eraseVerificationData,
  holdVerification,
  openRestrictedData,
  readOwnRetentionPolicy,
  readOwnRetentionReport,
  readRetentionPolicy,
  readRetentionReport,
  releaseVerificationHold,
  type SetRetentionPolicyInput,
  setRetentionPolicy,
} from './actions/retention.ts';
export {
  approveVerification,
  askForAction,
  type ClientName,
  claimVerification,
  findClients,
  listReviewQueue,
  nameClients,
  noteOnVerification,
  openForReview,
  previewDecision,
  readFileForReview,
  rejectVerification,
  releaseVerification,
} from './actions/review.ts';
export { CONFIRMED_MS, isConfirmed, type TeamRight, type Who } from './actions/rights.ts';
export { changeTeamRole, inviteToTeam, listTeam, removeFromTeam, renewTeamInvitation } from './actions/team.ts';
export {
  changeUserRole,
  createUser,
  getUser,
  inviteUser,
  listUsers,
  removeUser,
  resetSecondFactor,
  searchUsers,
} from './actions/users.ts';
export {
  type CreateVerificationInput,
  createVerification,
  exportVerificationData,
  exportVerifications,
  listVerifications,
  readVerification,
  readVerificationFile,
  renewVerificationLink,
  withdrawVerification,
} from './actions/verifications.ts';
export {
  changeWebhook,
  createWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listWebhookAttempts,
  listWebhookDeliveries,
  listWebhooks,
  type OfClient,
  type OnDelivery,
  type OnEndpoint,
  type OnSecret,
  pauseWebhook,
  removeWebhook,
  resendWebhook,
  resendWebhooksSince,
  resumeWebhook,
  rotateWebhookSecret,
  testWebhook,
} from './actions/webhooks.ts';
export {
  AUDIT_ACTOR_KINDS,
  AUDIT_OUTCOMES,
  type AuditAction,
  type AuditActor,
  type AuditEntry,
  type AuditFact,
  type AuditOutcome,
  DATA_ERASED_ACTION,
  parseAuditAction,
} from './audit/audit-entry.ts';
export type { AuditHead, AuditLog, AuditQuery } from './audit/audit-log.ts';
export { type CallerRequestHeaders, callerRequestId, loggedId } from './audit/log-values.ts';
export type { AuditFindings, VerifyAudit } from './audit/verify-audit.ts';
export {
  type Countersign,
  type CountersignPorts,
  type CountersignSettings,
  createCountersign,
} from './countersign.ts';
export {
  type AppliedEntries,
  type AppliedErasureLog,
  type ApplyErasureLog,
  createApplyErasureLog,
} from './erasure/apply-log.ts';
export { createCheckErasureLog } from './erasure/check-log.ts';
export type { ClientData } from './erasure/client-data.ts';
export { createReadPause, LONGEST_GAP_MS, PAUSE_MS } from './erasure/clock-pause.ts';
export { completeErasureLog } from './erasure/complete-log.ts';
export { type RelationshipEnd, relationshipEndSchema } from './erasure/end-relationship.ts';
export { createEraseVerification, type EraseVerification, RESUME_AFTER_MS } from './erasure/erase-verification.ts';
export { ERASURE_RULES, type Erasure, type ErasureRule } from './erasure/erasure.ts';
export type { ErasureLog, ErasureLogEntry } from './erasure/erasure-log.ts';
export {
  compareErasureLog,
  createIdentifiedLog,
  ErasureLogMismatch,
  type ErasureLogProblem,
} from './erasure/identify-log.ts';
export type { ClientRetentionPolicy } from './erasure/manage-retention.ts';
export { endRelationship, type RetainedTransition, releaseHold } from './erasure/moves.ts';
export { hashOfNothing, hashOfRemains, remainsAfter } from './erasure/remains.ts';
export { createRemoveData, type ErasureCause, type ErasurePorts, type RemoveData } from './erasure/remove-data.ts';
export { type RetentionSettings, readRules } from './erasure/retained-rules.ts';
export type { RetainedVerification } from './erasure/retained-verification.ts';
export {
  createRetentionJob,
  type RetentionJob,
  type RetentionRunResult,
} from './erasure/retention-job.ts';
export type { RetentionReport } from './erasure/retention-report.ts';
export type {
  ClientRetention,
  Remains,
  RetentionRepository,
  RetentionRun,
  StoredRetentionRun,
  VerificationPlace,
} from './erasure/retention-repository.ts';
export { findUnfinishedErasures } from './erasure/unfinished-erasures.ts';
export { createVerifyErasures, type ErasureFindings, type VerifyErasures } from './erasure/verify-erasures.ts';
export {
  CountersignError,
  ERROR_MESSAGES,
  type ErrorCode,
  type ErrorData,
  type FaultSubject,
  type Issue,
  type IssueCode,
  invalidParameters,
  isCountersignError,
  VerificationFault,
} from './errors.ts';
export { EvidenceFault } from './evidence/evidence-fault.ts';
export {
  acceptsPdf,
  EVIDENCE_CONTENT_TYPES,
  EVIDENCE_KINDS,
  EVIDENCE_MAX_BYTES,
  EVIDENCE_MAX_FILES,
  type EvidenceContentType,
  type EvidenceFile,
  type EvidenceKind,
  type EvidenceWarning,
  fileNameOf,
  PDF_PAGES_MAX,
  PICTURE_MAX_PIXELS,
  PICTURE_WARNINGS,
  type PictureWarning,
  UPLOADS_AT_ONCE,
} from './evidence/evidence-file.ts';
export type { Evidence, FilePart } from './evidence/evidence-keeper.ts';
export type {
  EvidenceIntake,
  EvidencePlace,
  EvidenceStore,
  IntakeTerms,
  ReceivedFile,
} from './evidence/evidence-store.ts';
export { canHaveBytes } from './evidence/file-content.ts';
export type { TidyEvidence } from './evidence/tidy-evidence.ts';
export {
  type Archive,
  type ArchiveEntry,
  archiveEntries,
  DATA_FILE,
  dataFile,
  safeEntries,
} from './exports/archive.ts';
export type { ClientExport, ExportedVerification } from './exports/client-exports.ts';
export type { ClientFiles } from './exports/client-files.ts';
export type {
  ExportQuery,
  ExportRelease,
  ExportRepository,
} from './exports/export-repository.ts';
export {
  askAgainFrom,
  DECLINE_REASONS,
  type DeclineReason,
  EXPORT_CODE_ATTEMPTS,
  EXPORT_DECLINED_MS,
  EXPORT_DOWNLOADS,
  EXPORT_LIFETIME_MS,
  EXPORT_REQUESTERS,
  type ExportRequest,
  type ExportRequester,
  type ExportState,
  exportStateOf,
  isDeclinable,
  isOpenExport,
  isReleased,
  type NewExportRequest,
  NO_RELEASE,
} from './exports/export-request.ts';
export { type ExportedFile, exportedPath } from './exports/exported-file.ts';
export type { ExportList, ExportListRequest, ManageExports, ReleasedExport } from './exports/manage-exports.ts';
export type { ExportDownload, ExportEntry, ExportPage, PersonExports } from './exports/person-exports.ts';
export { type PersonalData, personalDataOf } from './exports/personal-data.ts';
export type { PastRequest } from './exports/requests-for-action.ts';
export type { SubjectExport, SubjectExports } from './exports/subject-exports.ts';
export { COUNTRIES } from './fields/countries.ts';
export type { Field, FieldList, Fields, Partly, Path, Purpose, TextCheck, When } from './fields/field.ts';
export { isDrafted, type Page, pagesFor } from './fields/pages.ts';
export { isWithin, valueAt, withValueAt } from './fields/paths.ts';
export {
  type Place,
  type PlacedField,
  placedFields,
  placesOf,
  type Row,
  rowsOf,
  textKeysOf,
} from './fields/placed-fields.ts';
export { type SampleContext, sampleFilesOf, sampleOf } from './fields/sample.ts';
export { answersSchemaOf, EMAIL_MAX, schemaOf } from './fields/schema.ts';
export { defineStep, type Step, type StepContext, type StepDefinition } from './fields/step.ts';
export type { JsonObject, JsonValue } from './input/json.ts';
export { isStorableText } from './input/text.ts';
export type { Upload } from './input/upload.ts';
export { MAIL_KINDS, type Mail, type MailKind } from './mail/mail.ts';
export type { MailLease, MailQueue, MailSettlement } from './mail/mail-queue.ts';
export type {
  MailContent,
  Mailer,
  MailOutcome,
  TeamMailValues,
  UserMailValues,
  VerificationMailValues,
} from './mailing/mailer.ts';
export type { SendMails, SentMails } from './mailing/send-mails.ts';
export { networkOf } from './rate-limit/client-address.ts';
export { DEFAULT_REQUEST_RATES, type RateLimits, type RequestRates } from './rate-limit/rate-limit-policy.ts';
export type { RateLimit, RateLimitDecision, RateLimiter } from './rate-limit/rate-limiter.ts';
export { endOfPeriod, hourIn, isTimeZone } from './retention/calendar.ts';
export {
  DATA_STATES,
  type DataState,
  type DataStateName,
  type Due,
  type DueRule,
  dataStateOf,
  erasureDue,
  isHeld,
  isHidden,
  legalEndOf,
  type ReadPause,
  type Retained,
  type RetentionRules,
} from './retention/data-state.ts';
export { DURATION_MAX_YEARS, type Duration, isAtLeast, isNoTime, parseDuration } from './retention/duration.ts';
export {
  DEFAULT_RETENTION,
  DEFAULT_RETENTION_FLOOR,
  floorOf,
  parseRetentionPolicy,
  periodsUnderFloor,
  RETAINED_OUTCOMES,
  RETENTION_PERIODS,
  type RetainedOutcome,
  type RetentionFloor,
  type RetentionPeriod,
  type RetentionPolicy,
  retentionIssues,
} from './retention/policy.ts';
export {
  erasedReference,
  NO_RETENTION_FACTS,
  type RetentionFacts,
  retentionFactsOf,
} from './retention/retention-facts.ts';
export type { Clock, Ids, Secrets } from './runtime.ts';
export type { DriveSandbox } from './sandbox/drive-sandbox.ts';
export {
  type Accounts,
  type CookieChange,
  type Invitation,
  type JoinOutcome,
  PASSWORD_MAX,
  PASSWORD_MIN,
  passwordLengthRefusal,
  type SecondFactorSetup,
  type SignInOutcome,
  type Throttled,
  type Visitor,
} from './staff/accounts.ts';
export {
  INVITATION_LIFETIME_MS,
  type IssuedLink,
  type KeepOwner,
  type ListedUser,
  type ManageStaff,
  type NewUserContext,
  type OneTimeLink,
  type UserQuery,
} from './staff/manage-staff.ts';
export type { Invited, SecondFactorReset, UserPage, UserSearch } from './staff/manage-users.ts';
export { checkNewUser, type NewUser, normalEmail, USER_NAME_MAX } from './staff/new-user.ts';
export { changedRole, leavesNoOwner, type NewRole, type TeamMember } from './staff/role-change.ts';
export type {
  JobState,
  ServiceFigures,
  ServiceState,
  ServiceStatus,
  WaitingToSend,
} from './staff/service-status.ts';
export { lacksSecondFactor, type SignIn, type StaffSession } from './staff/sign-in.ts';
export {
  belongsToClient,
  SERVICE_ROLES,
  type ServiceRole,
  STAFF_ROLES,
  type StaffRole,
  type StoredUser,
  TEAM_ROLES,
  type TeamRole,
  type User,
  userFromStored,
} from './staff/user.ts';
export type { MailRecipient, MailRecipients } from './staff/user-mail.ts';
export type { SealedDataKeys, Sealing, Storage } from './storage.ts';
export { firstTextAfter, parseEnum, parseEnumOrNull, parseRow } from './stored-rows.ts';
export { type BoundedCount, boundedCount, COUNTED_MATCHES } from './subscription/bounded-count.ts';
export {
  acceptedDetails,
  type ClientFace,
  type ContactLink,
  contactLink,
  DISPLAY_NAME_MAX,
  type FaceDetails,
  type FaceInput,
  faceDetailsOf,
  faceFields,
  faceIssues,
  type Logo,
  type LogoFacts,
  NO_FACE,
} from './subscription/client-face.ts';
export type { ClientMode } from './subscription/client-mode.ts';
export { clientNameKey } from './subscription/client-name.ts';
export type {
  Client,
  ClientPosition,
  ClientQuery,
  ClientRepository,
  ClientWithSubscription,
  NameOfClient,
  NewClientEntry,
  SubscriptionChange,
} from './subscription/client-repository.ts';
export { contrastOf, type Palette, paletteOf, parseColour, TEXT_CONTRAST } from './subscription/colours.ts';
export type { ClientFaceRepository, FaceOutcome } from './subscription/face-repository.ts';
export { LOGO_MAX_BYTES, LOGO_MAX_HEIGHT, LOGO_MAX_WIDTH, type LogoIntake } from './subscription/logo-intake.ts';
export {
  CLIENT_CHOICES,
  type ClientPage,
  type ClientSearch,
  type ClientWithTwin,
  type ManageClients,
  type NewClient,
  type SubscriptionSettings,
} from './subscription/manage-clients.ts';
export type { ManageFaces, ReadFaces, ShownFace } from './subscription/manage-faces.ts';
export {
  allowanceOf,
  DEFAULT_MONTHLY_LIMIT,
  type Month,
  monthOf,
  type Usage,
} from './subscription/monthly-limit.ts';
export {
  parseReturnAddresses,
  parseReturnUrl,
  RETURN_ADDRESSES_MAX,
  RETURN_URL_MAX,
  returnAddressIssues,
  returnLinkOf,
} from './subscription/return-address.ts';
export {
  isSubscriptionActive,
  PLANS,
  type Plan,
  SUBSCRIPTION_STATUSES,
  type Subscription,
  type SubscriptionStatus,
} from './subscription/subscription.ts';
export {
  liveIdOf,
  modeOf,
  newClient,
  testTwinOf,
} from './subscription/test-twin.ts';
export { CopyError, type CopyErrorCode } from './transfer/compare-storages.ts';
export { type CopyOptions, type CopyProgress, type CopyResult, copyStorage } from './transfer/copy-storage.ts';
export {
  type ClientFaceEntry,
  type ClientRetentionEntry,
  compareTransferKeys,
  type EventEntry,
  TRANSFER_KINDS,
  type TransferEntries,
  type TransferKey,
  type TransferKind,
  type TransferSource,
  type TransferTarget,
  transferKeyOf,
  type UsageEntry,
} from './transfer/transfer.ts';
export { answersOf, type StepAnswers } from './verification/answers.ts';
export type { BrowseRequest } from './verification/browse-request.ts';
export type { BrowsedPage, BrowsedVerification, OpenedVerification } from './verification/client-verifications.ts';
export type { CompleteVerification } from './verification/complete-verification.ts';
export type { CreateVerification, Creation } from './verification/create-verification.ts';
export type { DataKeyEntry, DataKeyRepository, WrappedDataKey } from './verification/data-key-repository.ts';
export {
  ACTION_REASONS,
  type ActionItem,
  type ActionNeeded,
  type ActionRequest,
  type Decision,
  type InternalNote,
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
export { MAX_EVENTS } from './verification/event-limit.ts';
export {
  ACTOR_KINDS,
  type Actor,
  DECIDING_EVENT_TYPES,
  type DecidingEventType,
  EVENT_TYPES,
  type EventType,
  type HistoryEntry,
  LATER_STATUS_EVENT_TYPES,
  STATUS_EVENT_TYPES,
  type VerificationEvent,
} from './verification/events.ts';
export { EXPIRE_AFTER_DAYS, type ExpireVerifications } from './verification/expire-verifications.ts';
export {
  type FoundUnreadable,
  findUnreadable,
  type InspectedStorage,
  type InspectedVerification,
  inspectVerifications,
} from './verification/find-unreadable.ts';
export {
  BUILT_IN_FLOWS,
  currentFlow,
  type Flow,
  type Flows,
  STEP_KEYS,
  type StepKey,
  SUBJECT_TYPES,
  type SubjectType,
  stepOf,
  stepsOf,
} from './verification/flow.ts';
export { type HoldInput, hold, holdFields, OPENING_MS } from './verification/hold.ts';
export { LINK_LIFETIME_DAYS } from './verification/link.ts';
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
export { type OpenRestrictedVerification, openRestrictedUseCase } from './verification/open-restricted.ts';
export {
  countOf,
  type DayCount,
  isDeep,
  matchingGroups,
  type PageSlice,
  type PlannedQuery,
  planPage,
  skipDays,
  type VerificationGroup,
} from './verification/page-plan.ts';
export { currentStepOf, isStepCompleted, openStepsOf } from './verification/progress.ts';
export type { MonthUsage, UsageReport } from './verification/read-usage.ts';
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
export type { KeptData } from './verification/retained.ts';
export type { RetentionView } from './verification/retention-view.ts';
export type {
  ReviewedVerification,
  ReviewQueueInput,
  ReviewQueueItem,
  ReviewQueuePage,
  ReviewSummary,
} from './verification/review-queue.ts';
export { isClaimedByOther, isMovePossible, type ReviewerMove } from './verification/reviewer-moves.ts';
export {
  ACTIVE_STATUSES,
  type ActiveStatus,
  DRIVEN_STATUSES,
  EXPIRING_STATUSES,
  isActive,
  type Move,
  STATUSES,
  type Status,
  type StatusCounts,
  statusCounts,
  targetOf,
} from './verification/status.ts';
export type { BusinessConsent, Consent } from './verification/steps/consent.ts';
export type { Business, BusinessAddresses, BusinessDocuments, Representative } from './verification/steps/kyb.ts';
export { LEI_LENGTH } from './verification/steps/kyb.ts';
export type { Person, PersonAddress } from './verification/steps/kyc.ts';
export {
  type BeneficialOwner,
  type CompanyPerson,
  OWNER_SHARE_PERCENT,
  type Ownership,
  WHOLE_PERCENT,
} from './verification/steps/ownership.ts';
export type { Address, IdentityDocument } from './verification/steps/shared-fields.ts';
export type { SubjectAccess } from './verification/subject-access.ts';
export type { AttachedFile, NewEvidenceFile, SubjectFiles, UploadTarget } from './verification/subject-files.ts';
export { answersSoFar, type DraftPart, type PageAnswers } from './verification/subject-moves.ts';
export { isUnreadable, UnreadableVerificationError, unreadableRecord } from './verification/unreadable.ts';
export {
  type Claim,
  type CompletedStep,
  type CompletedSteps,
  type Drafts,
  type EarlierAnswers,
  type Hold,
  namedFiles,
  type Opening,
  submittedDataOf,
  type Verification,
} from './verification/verification.ts';
export {
  type CountDifference,
  type CountKey,
  compareCounts,
  DAY_MS,
  type DayRange,
  dayOf,
  dayText,
  presentCounts,
  totalOf,
  type VerificationCounts,
  withoutNegatives,
} from './verification/verification-counts.ts';
export type { VerificationRecord } from './verification/verification-record.ts';
export {
  type BrowseFilter,
  type BrowsePosition,
  type BrowseQuery,
  type CreateOutcome,
  type CreateRequest,
  type DueForExpiry,
  type QueuePosition,
  type QueueQuery,
  type RecordPage,
  SORT_FIELDS,
  type SortField,
  type VerificationQuery,
  type VerificationRepository,
  type VerificationWithEvents,
} from './verification/verification-repository.ts';
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
  NumberCheck,
  NumberChecks,
  ReviewWarning,
  WarningCode,
} from './verification/warnings/review-warning.ts';
export { type TimeSpan, type WholeDays, wholeDaysIn } from './verification/whole-days.ts';
export {
  createForgetDeliveries,
  DELIVERIES_KEPT_DAYS,
  type ForgetDeliveries,
} from './webhooks/forget-deliveries.ts';
export {
  type EndpointMove,
  type EndpointSettings,
  type EndpointSettingsChange,
  type EndpointWithSecret,
  isEndpointMovePossible,
  type ListedEndpoint,
  type WebhookTest,
  type WebhookTestBody,
} from './webhooks/manage-webhooks.ts';
export {
  type AttemptResult,
  afterAttempt,
  FAILING_LIMIT_MS,
  LONGEST_WAIT_MS,
  pausedIfFailingSince,
  RETRY_WAITS_MS,
  type WebhookVerdict,
} from './webhooks/retry-plan.ts';
export {
  ENDPOINT_STATES,
  type EndpointState,
  MAX_REPLACED_SECRETS,
  MAX_WEBHOOK_ENDPOINTS,
  newWebhookSecret,
  type ReplacedSecret,
  SECRET_OVERLAP_HOURS,
  type StoredSecret,
  signingSecrets,
  type WebhookEndpoint,
} from './webhooks/webhook-endpoint.ts';
export {
  isSent,
  SENT_EVENT_TYPES,
  WEBHOOK_TYPES,
  type WebhookBody,
  type WebhookType,
  webhookBodyOf,
  webhookTypeOf,
} from './webhooks/webhook-event.ts';
export { type DeliveryPage, LOG_PAGE } from './webhooks/webhook-log.ts';
export {
  type Attempt,
  DELIVERY_STATES,
  type Delivery,
  type DeliveryEntry,
  type DeliveryQuery,
  type DeliveryState,
  type EndpointChange,
  type EndpointLease,
  type ExpectedEndpoint,
  RESPONSE_KEPT,
  type SecretEntry,
  type Settlement,
  type WebhookRepository,
} from './webhooks/webhook-repository.ts';
export {
  WEBHOOK_DEADLINE_MS,
  type WebhookMessage,
  type WebhookResponse,
  type WebhookSender,
} from './webhooks/webhook-sender.ts';
export { parseWebhookUrl, WEBHOOK_URL_MAX } from './webhooks/webhook-url.ts';
