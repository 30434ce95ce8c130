/** Retention: policies, holds, relationships, erasure of data and the erasure log. */

export {
  type AppliedEntries,
  type AppliedErasureLog,
  type ApplyErasureLog,
  createApplyErasureLog,
} from '../erasure/apply-log.ts';
export type { ClientData } from '../erasure/client-data.ts';
export { type RelationshipEnd, relationshipEndSchema } from '../erasure/end-relationship.ts';
export { createEraseVerification, type EraseVerification } from '../erasure/erase-verification.ts';
export {
  ERASURE_RULES,
  type Erasure,
  type ErasureLog,
  type ErasureLogEntry,
  type ErasureRule,
} from '../erasure/erasure.ts';
export {
  compareErasureLog,
  createIdentifiedLog,
  ErasureLogMismatch,
  type ErasureLogProblem,
} from '../erasure/identify-log.ts';
export { completeErasureLog, createCheckErasureLog } from '../erasure/log-gaps.ts';
export type { ClientRetentionPolicy } from '../erasure/manage-retention.ts';
export type { RetainedTransition } from '../erasure/moves.ts';
export {
  createRemoveData,
  type ErasureCause,
  type ErasurePorts,
  type RemoveData,
} from '../erasure/remove-data.ts';
export { createReadPause, type RetentionSettings, readRules } from '../erasure/retained-rules.ts';
export { createRetentionJob, type RetentionJob, type RetentionRunResult } from '../erasure/retention-job.ts';
export { findUnfinishedErasures, type RetentionReport } from '../erasure/retention-report.ts';
export { hashOfNothing, hashOfTraces } from '../erasure/stored-traces.ts';
export { createVerifyErasures, type ErasureFindings, type VerifyErasures } from '../erasure/verify-erasures.ts';
export { hourIn, isTimeZone } from '../retention/calendar.ts';
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
} from '../retention/data-state.ts';
export { firstDayEverywhere, lastDayEverywhere, latestToday } from '../retention/days-everywhere.ts';
export { DURATION_MAX_YEARS, type Duration, isNoTime, parseDuration } from '../retention/duration.ts';
export {
  DEFAULT_RETENTION,
  DEFAULT_RETENTION_FLOOR,
  floorOf,
  periodsUnderFloor,
  RETAINED_OUTCOMES,
  RETENTION_PERIODS,
  type RetainedOutcome,
  type RetentionFloor,
  type RetentionPeriod,
  type RetentionPolicy,
  retentionIssues,
} from '../retention/policy.ts';
export {
  erasedReference,
  NO_RETENTION_FACTS,
  type RetentionFacts,
  retentionFactsOf,
} from '../retention/retention-facts.ts';
export { type HoldInput, OPENING_MS } from '../verification/hold.ts';
export type { OpenRestrictedVerification } from '../verification/open-restricted.ts';
export type { KeptData } from '../verification/retained.ts';
export type { RetentionView } from '../verification/retention-view.ts';
