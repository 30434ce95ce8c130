/** What a storage adapter implements: the ports of `Storage`, their records and queries, rules that adapters share, and copying between two storages. */

export type { ApiKeyRepository, ResolvedKey } from '../access/api-key-repository.ts';
export { parseAuditAction } from '../audit/audit-entry.ts';
export {
  type AuditHead,
  type AuditLog,
  type AuditQuery,
  isListedEntry,
  NO_PREVIOUS_HASH,
} from '../audit/audit-log.ts';
export { type AuditTailFindings, verifyAuditTail } from '../audit/verify-audit-tail.ts';
export { type CloseGate, createCloseGate, storageClosed } from '../core/close-gate.ts';
export { type CoreStorage, closable, type SealedDataKeys, type Sealing, type Storage } from '../core/storage.ts';
export {
  type CorePorts,
  mapPorts,
  PART_NAMES,
  type PortName,
  presentParts,
  type SomeParts,
  type StorageParts,
} from '../core/storage-parts.ts';
export {
  erasedRecord,
  type RecordDocument,
  type RetainedVerification,
  requireRetentionRules,
  retainedVerification,
  withoutDocuments,
} from '../erasure/retained-verification.ts';
export type {
  ClientRetention,
  RetentionRepository,
  RetentionRun,
  StoredRetentionRun,
  StoredTraces,
  VerificationPlace,
} from '../erasure/retention-repository.ts';
export type { ExportQuery, ExportRelease, ExportRepository } from '../exports/export-repository.ts';
export { type BudgetsTaken, returnedTo, takenFrom } from '../mail/budget-windows.ts';
export type { Mail } from '../mail/mail.ts';
export type {
  ExpiringKey,
  MailBudget,
  MailLease,
  MailQueue,
  MailSettlement,
  UsedMailBudget,
} from '../mail/mail-queue.ts';
export type {
  ClientLabel,
  IndexEntry,
  IndexedVerification,
  IndexKey,
  IndexKeyPlace,
  IndexLabel,
  IndexRepository,
  KeptLabels,
  VerificationLabels,
} from '../matching/index-repository.ts';
export {
  INDEX_PURPOSES,
  INDEX_RULES_VERSION,
  type IndexPurpose,
  type IndexTerm,
} from '../matching/index-terms.ts';
export type { ReadingRecord, ReadingRepository } from '../reading/reading-repository.ts';
export { STORAGE_PARTS, type StoragePart } from '../storage-part.ts';
export { firstTextAfter, parseEnum, parseEnumOrNull, parseRow } from '../stored-rows.ts';
export type { AppearanceOutcome, ClientAppearanceRepository } from '../subscription/appearance-repository.ts';
export { clientNameKey } from '../subscription/client-name.ts';
export type {
  ClientPosition,
  ClientQuery,
  ClientRepository,
  NewClientEntry,
  SubscriptionChange,
} from '../subscription/client-repository.ts';
export { CopyError, type CopyErrorCode } from '../transfer/compare-storages.ts';
export { type CopyOptions, type CopyProgress, type CopyResult, copyStorage } from '../transfer/copy-storage.ts';
export {
  type ClientAppearanceEntry,
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
} from '../transfer/transfer.ts';
export type { CounterRepository } from '../verification/counter-repository.ts';
export type { DataKeyEntry, DataKeyRepository, WrappedDataKey } from '../verification/data-key-repository.ts';
export { ENDING_EVENT_TYPES, endingsOf, REVIEW_EVENT_TYPES } from '../verification/endings.ts';
export { MAX_EVENTS } from '../verification/event-limit.ts';
export {
  ACTOR_KINDS,
  DECIDING_EVENT_TYPES,
  type DecidingEventType,
  LATER_STATUS_EVENT_TYPES,
  STATUS_EVENT_TYPES,
} from '../verification/events.ts';
export {
  type FoundUnreadable,
  findUnreadable,
  type InspectedStorage,
  type InspectedVerification,
  inspectVerifications,
} from '../verification/find-unreadable.ts';
export {
  type HandOverCode,
  handOverEnd,
  issuedHandOver,
  type NewHandOver,
} from '../verification/hand-over-code.ts';
export type { HandOverPlace, HandOverRepository } from '../verification/hand-over-repository.ts';
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
} from '../verification/page-plan.ts';
export {
  type RebuildIndexOptions,
  type RebuildIndexPorts,
  type RebuiltIndex,
  rebuildIndex,
} from '../verification/rebuild-index.ts';
export {
  browseOrder,
  compareText,
  countRecords,
  expiryOrder,
  isBrowsed,
  isDueForExpiry,
  isListed,
  isQueued,
  isReferenced,
  listOrder,
  matchesNothing,
  queueOrder,
} from '../verification/record-lists.ts';
export {
  activityFrom,
  type DayActivity,
  medianOf,
  type ReviewActivity,
  type ReviewActivityQuery,
  type ReviewedRecord,
  reviewActivityOf,
} from '../verification/review-activity.ts';
export {
  decisionsOf,
  type LoadRecord,
  type ReviewerDecision,
  type ReviewerDecisions,
  type ReviewLoad,
  type ReviewLoadQuery,
  reviewLoadOf,
} from '../verification/review-load.ts';
export { idsOfReference, type ReferencedIds } from '../verification/short-reference.ts';
export { ANSWERABLE_STATUSES, DRIVEN_STATUSES, EXPIRING_STATUSES, statusCounts } from '../verification/status.ts';
export { isUnreadable, UnreadableVerificationError, unreadableRecord } from '../verification/unreadable.ts';
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
} from '../verification/verification-counts.ts';
export type { VerificationRecord } from '../verification/verification-record.ts';
export type {
  BrowseFilter,
  BrowsePosition,
  BrowseQuery,
  CreateOutcome,
  CreateRequest,
  DueForExpiry,
  KeptWarnings,
  QueuePosition,
  QueueQuery,
  RecordPage,
  VerificationQuery,
  VerificationRepository,
  VerificationWithEvents,
} from '../verification/verification-repository.ts';
export { type TimeSpan, type WholeDays, wholeDaysIn } from '../verification/whole-days.ts';
export type { WorkOptions } from '../verification/work-through.ts';
export { secretsOf, withoutTexts } from '../webhooks/stored-endpoints.ts';
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
  type Outage,
  RESPONSE_KEPT,
  type SecretEntry,
  type Settlement,
  type WebhookRepository,
} from '../webhooks/webhook-repository.ts';
