import { RETENTION_SUITES } from './retention-suites.ts';
import type { Suite } from './suite.ts';
import { keyCapSuite, revocationSuite } from './suites/active-keys.ts';
import { apiKeysSuite, lastUseSuite } from './suites/api-keys.ts';
import { appearancesSuite } from './suites/appearances.ts';
import { auditChainSuite, auditLogSuite } from './suites/audit-log.ts';
import { auditAtOnceSuite, auditReadsSuite } from './suites/audit-reads.ts';
import { browseFiltersSuite, browseSuite } from './suites/browse.ts';
import { claimsSuite, compareAndSetSuite } from './suites/changes.ts';
import { clientSearchSuite, clientsSuite } from './suites/clients.ts';
import { closingSuite } from './suites/closing.ts';
import { countByStatusSuite } from './suites/count-by-status.ts';
import { countersSuite, countsSuite } from './suites/counts.ts';
import { creationSuite, quotaSuite } from './suites/creation.ts';
import { dataKeyListsSuite, dataKeysAtOnceSuite, dataKeysSuite } from './suites/data-keys.ts';
import { dueForExpirySuite } from './suites/due-for-expiry.ts';
import { dueInSandboxSuite } from './suites/due-in-sandbox.ts';
import { duplicatesSuite, idempotencyKeysSuite, precedenceSuite } from './suites/duplicates.ts';
import { endingsSuite } from './suites/endings.ts';
import { eventsSuite } from './suites/events.ts';
import { exportCodesSuite } from './suites/exports/codes.ts';
import { exportEndsSuite } from './suites/exports/ends.ts';
import { exportListsSuite } from './suites/exports/lists.ts';
import { exportRequestsSuite } from './suites/exports/requests.ts';
import { fileAccessSuite } from './suites/file-access.ts';
import { firstKeysSuite } from './suites/first-keys.ts';
import { flowSettingsSuite } from './suites/flow-settings.ts';
import { handOverCodesSuite, handOverUsesSuite } from './suites/hand-overs.ts';
import { indexKeysSuite } from './suites/index-keys.ts';
import { erasedLabelsSuite, indexLabelsSuite } from './suites/index-labels.ts';
import { atomicitySuite, isolationSuite } from './suites/isolation.ts';
import { journeysSuite, recordedActionsSuite } from './suites/journeys.ts';
import { keptWarningsSuite } from './suites/kept-warnings.ts';
import { faultsSuite, lifecycleSuite } from './suites/lifecycle.ts';
import { listingFiltersSuite, listingOrderSuite, pagingSuite } from './suites/lists.ts';
import { keyNoticesSuite } from './suites/mails/key-notices.ts';
import { mailBudgetsSuite } from './suites/mails/mail-budgets.ts';
import { mailQueueSuite } from './suites/mails/mail-queue.ts';
import { queuedMailsSuite } from './suites/mails/queued-mails.ts';
import { queueFiltersSuite, queueSuite } from './suites/queue.ts';
import { erasedReadingsSuite, readingsSuite } from './suites/readings.ts';
import { anyClientReadsSuite, readsSuite } from './suites/reads.ts';
import { reasonTemplatesSuite } from './suites/reason-templates.ts';
import { retentionFactsSuite } from './suites/retention-facts.ts';
import { returnAddressesSuite } from './suites/return-addresses.ts';
import { reviewActivitySuite } from './suites/review-activity.ts';
import { reviewLoadSuite } from './suites/review-load.ts';
import { shortReferencesSuite } from './suites/short-references.ts';
import { firstSubscriptionsSuite, subscriptionsSuite } from './suites/subscriptions.ts';
import { supersededEventsSuite } from './suites/superseded-events.ts';
import { testTwinsSuite } from './suites/test-twins.ts';
import { inputsSuite, ownValuesSuite } from './suites/values.ts';
import { verificationsBehindSuite } from './suites/verifications-behind.ts';
import { WEBHOOK_SUITES } from './webhook-suites.ts';

/** The suites of the core, including races, atomicity and `close`. None of their cases is skipped, whatever parts a storage lacks. */
export const CORE_SUITES: readonly Suite[] = [
  lifecycleSuite,
  closingSuite,
  clientsSuite,
  clientSearchSuite,
  subscriptionsSuite,
  firstSubscriptionsSuite,
  apiKeysSuite,
  revocationSuite,
  lastUseSuite,
  keyCapSuite,
  firstKeysSuite,
  creationSuite,
  duplicatesSuite,
  quotaSuite,
  idempotencyKeysSuite,
  precedenceSuite,
  compareAndSetSuite,
  supersededEventsSuite,
  readsSuite,
  isolationSuite,
  listingOrderSuite,
  listingFiltersSuite,
  pagingSuite,
  browseSuite,
  browseFiltersSuite,
  countsSuite,
  countByStatusSuite,
  anyClientReadsSuite,
  queueSuite,
  queueFiltersSuite,
  claimsSuite,
  returnAddressesSuite,
  fileAccessSuite,
  flowSettingsSuite,
  reasonTemplatesSuite,
  retentionFactsSuite,
  dueInSandboxSuite,
  dueForExpirySuite,
  reviewActivitySuite,
  reviewLoadSuite,
  dataKeysSuite,
  dataKeysAtOnceSuite,
  dataKeyListsSuite,
  eventsSuite,
  auditLogSuite,
  auditChainSuite,
  auditReadsSuite,
  auditAtOnceSuite,
  atomicitySuite,
  faultsSuite,
  journeysSuite,
  recordedActionsSuite,
];

/** Suites with cases that call a part. */
const PART_SUITES: readonly Suite[] = [
  keyNoticesSuite,
  keptWarningsSuite,
  shortReferencesSuite,
  endingsSuite,
  countersSuite,
  appearancesSuite,
  testTwinsSuite,
  ...WEBHOOK_SUITES,
  ...RETENTION_SUITES,
  exportRequestsSuite,
  exportCodesSuite,
  exportEndsSuite,
  exportListsSuite,
  handOverCodesSuite,
  handOverUsesSuite,
  readingsSuite,
  erasedReadingsSuite,
  indexKeysSuite,
  indexLabelsSuite,
  verificationsBehindSuite,
  erasedLabelsSuite,
  mailQueueSuite,
  mailBudgetsSuite,
  queuedMailsSuite,
  ownValuesSuite,
  inputsSuite,
];

/** All suites of the storage contract. An adapter that passes them can be used with Countersign. */
export const ALL_SUITES: readonly Suite[] = [...CORE_SUITES, ...PART_SUITES];
