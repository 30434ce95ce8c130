import { apiKeysMutants, keyCapMutants, lastUseMutants, revocationMutants } from './api-keys.ts';
import { appearancesMutants } from './appearances.ts';
import {
  auditAtOnceMutants,
  auditChainMutants,
  auditLogMutants,
  auditReadsMutants,
  recordedActionsMutants,
} from './audit.ts';
import { browseFiltersMutants, browseMutants } from './browse.ts';
import {
  atomicityMutants,
  claimsMutants,
  compareAndSetMutants,
  eventsMutants,
  journeysMutants,
} from './changes.ts';
import {
  clientSearchMutants,
  clientsMutants,
  firstSubscriptionsMutants,
  subscriptionsMutants,
} from './clients.ts';
import { closingMutants } from './closing.ts';
import { countByStatusMutants, countersMutants, countsMutants } from './counts.ts';
import {
  creationMutants,
  duplicatesMutants,
  idempotencyKeysMutants,
  precedenceMutants,
  quotaMutants,
} from './creation.ts';
import { dataKeyListsMutants, dataKeysAtOnceMutants, dataKeysMutants } from './data-keys.ts';
import { endingsMutants } from './endings.ts';
import { dueForExpiryMutants } from './expiry.ts';
import { EXPORT_MUTANTS } from './exports.ts';
import { fileAccessMutants } from './file-access.ts';
import { firstKeysMutants } from './first-keys.ts';
import { flowSettingsMutants } from './flow-settings.ts';
import { HAND_OVER_MUTANTS } from './hand-overs.ts';
import { INDEX_MUTANTS } from './indexes.ts';
import { KEPT_WARNINGS_MUTANTS } from './kept-warnings.ts';
import { keyNoticesMutants } from './key-notices.ts';
import { faultsMutants, lifecycleMutants } from './lifecycle.ts';
import { listingFiltersMutants, listingOrderMutants, pagingMutants } from './lists.ts';
import { MAIL_MUTANTS } from './mails.ts';
import type { Mutant } from './mutant.ts';
import { dueInSandboxMutants, queueFiltersMutants, queueMutants } from './queue.ts';
import { READING_MUTANTS } from './readings.ts';
import { anyClientReadsMutants, isolationMutants, readsMutants } from './reads.ts';
import { reasonTemplatesMutants } from './reason-templates.ts';
import { RETENTION_MUTANTS } from './retention.ts';
import { retentionFactsMutants } from './retention-facts.ts';
import { returnAddressesMutants } from './return-addresses.ts';
import { reviewActivityMutants } from './review-activity.ts';
import { reviewLoadMutants } from './review-load.ts';
import { shortReferencesMutants } from './short-references.ts';
import { supersededEventsMutants } from './superseded-events.ts';
import { testTwinsMutants } from './test-twins.ts';
import { inputsMutants, ownValuesMutants } from './values.ts';
import { WEBHOOK_MUTANTS } from './webhooks.ts';

export const ALL_MUTANTS: readonly Mutant[] = [
  [lifecycleMutants, closingMutants, faultsMutants],
  [clientsMutants, clientSearchMutants, subscriptionsMutants, firstSubscriptionsMutants],
  [apiKeysMutants, revocationMutants, lastUseMutants, keyCapMutants, firstKeysMutants, keyNoticesMutants],
  [creationMutants, duplicatesMutants, quotaMutants, idempotencyKeysMutants, precedenceMutants],
  [compareAndSetMutants, atomicityMutants, claimsMutants, eventsMutants, journeysMutants],
  [
    supersededEventsMutants,
    returnAddressesMutants,
    fileAccessMutants,
    flowSettingsMutants,
    reasonTemplatesMutants,
    appearancesMutants,
    testTwinsMutants,
    retentionFactsMutants,
  ],
  [readsMutants, anyClientReadsMutants, isolationMutants, countsMutants, countersMutants, countByStatusMutants],
  [
    listingOrderMutants,
    listingFiltersMutants,
    pagingMutants,
    browseMutants,
    browseFiltersMutants,
    shortReferencesMutants,
    endingsMutants,
  ],
  [
    queueMutants,
    queueFiltersMutants,
    dueInSandboxMutants,
    dueForExpiryMutants,
    reviewActivityMutants,
    reviewLoadMutants,
  ],
  [dataKeysMutants, dataKeysAtOnceMutants, dataKeyListsMutants],
  WEBHOOK_MUTANTS,
  RETENTION_MUTANTS,
  EXPORT_MUTANTS,
  HAND_OVER_MUTANTS,
  READING_MUTANTS,
  INDEX_MUTANTS,
  KEPT_WARNINGS_MUTANTS,
  MAIL_MUTANTS,
  [auditLogMutants, auditChainMutants, auditReadsMutants, auditAtOnceMutants, recordedActionsMutants],
  [ownValuesMutants, inputsMutants],
].flat(2);
