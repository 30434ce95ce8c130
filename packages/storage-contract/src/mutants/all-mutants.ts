import { anyClientReadsMutants } from './any-client-reads.ts';
import { apiKeysMutants } from './api-keys.ts';
import { atomicityMutants } from './atomicity.ts';
import { auditAtOnceMutants } from './audit-at-once.ts';
import { auditChainMutants } from './audit-chain.ts';
import { auditLogMutants } from './audit-log.ts';
import { auditReadsMutants } from './audit-reads.ts';
import { browseMutants } from './browse.ts';
import { browseFiltersMutants } from './browse-filters.ts';
import { claimsMutants } from './claims.ts';
import { clientsMutants } from './clients.ts';
import { compareAndSetMutants } from './compare-and-set.ts';
import { countByDayMutants } from './count-by-day.ts';
import { creationMutants } from './creation.ts';
import { dataKeyListsMutants } from './data-key-lists.ts';
import { dataKeysMutants } from './data-keys.ts';
import { dataKeysAtOnceMutants } from './data-keys-at-once.ts';
import { deliveriesMutants } from './deliveries.ts';
import { dueInSandboxMutants } from './due-in-sandbox.ts';
import { duplicatesMutants } from './duplicates.ts';
import { eventsMutants } from './events.ts';
import { faultsMutants } from './faults.ts';
import { firstSubscriptionsMutants } from './first-subscriptions.ts';
import { idempotencyKeysMutants } from './idempotency-keys.ts';
import { inputsMutants } from './inputs.ts';
import { isolationMutants } from './isolation.ts';
import { journeysMutants } from './journeys.ts';
import { keyCapMutants } from './key-cap.ts';
import { lastUseMutants } from './last-use.ts';
import { lifecycleMutants } from './lifecycle.ts';
import { listingFiltersMutants } from './listing-filters.ts';
import { listingOrderMutants } from './listing-order.ts';
import type { Mutant } from './mutant.ts';
import { outboxMutants } from './outbox.ts';
import { outboxAtOnceMutants } from './outbox-at-once.ts';
import { ownValuesMutants } from './own-values.ts';
import { pagingMutants } from './paging.ts';
import { precedenceMutants } from './precedence.ts';
import { queueMutants } from './queue.ts';
import { queueFiltersMutants } from './queue-filters.ts';
import { quotaMutants } from './quota.ts';
import { readsMutants } from './reads.ts';
import { recordedActsMutants } from './recorded-acts.ts';
import { revocationMutants } from './revocation.ts';
import { sandboxesMutants } from './sandboxes.ts';
import { subscriptionsMutants } from './subscriptions.ts';

export const ALL_MUTANTS: readonly Mutant[] = [
  ...lifecycleMutants,
  ...clientsMutants,
  ...subscriptionsMutants,
  ...firstSubscriptionsMutants,
  ...apiKeysMutants,
  ...revocationMutants,
  ...lastUseMutants,
  ...keyCapMutants,
  ...creationMutants,
  ...duplicatesMutants,
  ...quotaMutants,
  ...idempotencyKeysMutants,
  ...precedenceMutants,
  ...compareAndSetMutants,
  ...readsMutants,
  ...isolationMutants,
  ...listingOrderMutants,
  ...listingFiltersMutants,
  ...pagingMutants,
  ...browseMutants,
  ...browseFiltersMutants,
  ...countByDayMutants,
  ...anyClientReadsMutants,
  ...queueMutants,
  ...queueFiltersMutants,
  ...claimsMutants,
  ...sandboxesMutants,
  ...dueInSandboxMutants,
  ...dataKeysMutants,
  ...dataKeysAtOnceMutants,
  ...dataKeyListsMutants,
  ...eventsMutants,
  ...outboxMutants,
  ...deliveriesMutants,
  ...outboxAtOnceMutants,
  ...auditLogMutants,
  ...auditChainMutants,
  ...auditReadsMutants,
  ...auditAtOnceMutants,
  ...atomicityMutants,
  ...faultsMutants,
  ...ownValuesMutants,
  ...inputsMutants,
  ...journeysMutants,
  ...recordedActsMutants,
];
