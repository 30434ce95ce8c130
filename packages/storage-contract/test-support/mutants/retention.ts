import { erasureAtOnceMutants, erasureMutants } from './erasing.ts';
import type { Mutant } from './mutant.ts';
import { finishedErasuresMutants, noReceiptsMutants, receiptsMutants } from './receipts.ts';
import {
  recheckMutants,
  retainedVerificationsMutants,
  schedulesMutants,
  unfinishedErasuresMutants,
  uploadsDueMutants,
} from './retained-verifications.ts';
import { retentionChangesMutants } from './retention-changes.ts';
import { erasureLogIdsMutants, policiesMutants, runsMutants } from './retention-policies.ts';

/** The mutants of the suites about retention. */
export const RETENTION_MUTANTS: readonly Mutant[] = [
  [retainedVerificationsMutants, schedulesMutants, uploadsDueMutants, unfinishedErasuresMutants],
  [recheckMutants, retentionChangesMutants],
  [erasureMutants, erasureAtOnceMutants, finishedErasuresMutants, receiptsMutants, noReceiptsMutants],
  [policiesMutants, erasureLogIdsMutants, runsMutants],
].flat(2);
