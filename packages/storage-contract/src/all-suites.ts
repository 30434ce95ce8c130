import type { Suite } from './suite.ts';
import { anyClientReadsSuite } from './suites/any-client-reads.ts';
import { apiKeysSuite } from './suites/api-keys.ts';
import { atomicitySuite } from './suites/atomicity.ts';
import { auditAtOnceSuite } from './suites/audit-at-once.ts';
import { auditChainSuite } from './suites/audit-chain.ts';
import { auditLogSuite } from './suites/audit-log.ts';
import { auditReadsSuite } from './suites/audit-reads.ts';
import { browseSuite } from './suites/browse.ts';
import { browseFiltersSuite } from './suites/browse-filters.ts';
import { claimsSuite } from './suites/claims.ts';
import { clientsSuite } from './suites/clients.ts';
import { compareAndSetSuite } from './suites/compare-and-set.ts';
import { countByDaySuite } from './suites/count-by-day.ts';
import { creationSuite } from './suites/creation.ts';
import { dataKeyListsSuite } from './suites/data-key-lists.ts';
import { dataKeysSuite } from './suites/data-keys.ts';
import { dataKeysAtOnceSuite } from './suites/data-keys-at-once.ts';
import { deliveriesSuite } from './suites/deliveries.ts';
import { dueInSandboxSuite } from './suites/due-in-sandbox.ts';
import { duplicatesSuite } from './suites/duplicates.ts';
import { eventsSuite } from './suites/events.ts';
import { faultsSuite } from './suites/faults.ts';
import { firstSubscriptionsSuite } from './suites/first-subscriptions.ts';
import { idempotencyKeysSuite } from './suites/idempotency-keys.ts';
import { inputsSuite } from './suites/inputs.ts';
import { isolationSuite } from './suites/isolation.ts';
import { journeysSuite } from './suites/journeys.ts';
import { keyCapSuite } from './suites/key-cap.ts';
import { lastUseSuite } from './suites/last-use.ts';
import { lifecycleSuite } from './suites/lifecycle.ts';
import { listingFiltersSuite } from './suites/listing-filters.ts';
import { listingOrderSuite } from './suites/listing-order.ts';
import { outboxSuite } from './suites/outbox.ts';
import { outboxAtOnceSuite } from './suites/outbox-at-once.ts';
import { ownValuesSuite } from './suites/own-values.ts';
import { pagingSuite } from './suites/paging.ts';
import { precedenceSuite } from './suites/precedence.ts';
import { queueSuite } from './suites/queue.ts';
import { queueFiltersSuite } from './suites/queue-filters.ts';
import { quotaSuite } from './suites/quota.ts';
import { readsSuite } from './suites/reads.ts';
import { recordedActsSuite } from './suites/recorded-acts.ts';
import { revocationSuite } from './suites/revocation.ts';
import { sandboxesSuite } from './suites/sandboxes.ts';
import { subscriptionsSuite } from './suites/subscriptions.ts';

/** The whole contract. An adapter that passes all of it can stand under the service. */
export const ALL_SUITES: readonly Suite[] = [
  lifecycleSuite,
  clientsSuite,
  subscriptionsSuite,
  firstSubscriptionsSuite,
  apiKeysSuite,
  revocationSuite,
  lastUseSuite,
  keyCapSuite,
  creationSuite,
  duplicatesSuite,
  quotaSuite,
  idempotencyKeysSuite,
  precedenceSuite,
  compareAndSetSuite,
  readsSuite,
  isolationSuite,
  listingOrderSuite,
  listingFiltersSuite,
  pagingSuite,
  browseSuite,
  browseFiltersSuite,
  countByDaySuite,
  anyClientReadsSuite,
  queueSuite,
  queueFiltersSuite,
  claimsSuite,
  sandboxesSuite,
  dueInSandboxSuite,
  dataKeysSuite,
  dataKeysAtOnceSuite,
  dataKeyListsSuite,
  eventsSuite,
  outboxSuite,
  deliveriesSuite,
  outboxAtOnceSuite,
  auditLogSuite,
  auditChainSuite,
  auditReadsSuite,
  auditAtOnceSuite,
  atomicitySuite,
  faultsSuite,
  ownValuesSuite,
  inputsSuite,
  journeysSuite,
  recordedActsSuite,
];
