import type { Suite } from './suite.ts';
import { retentionChangesSuite } from './suites/retention/changes.ts';
import { erasureAtOnceSuite, erasureSuite } from './suites/retention/erasing.ts';
import { policiesSuite } from './suites/retention/policies.ts';
import { finishedErasuresSuite, noReceiptsSuite, receiptsSuite } from './suites/retention/receipts.ts';
import {
  recheckSuite,
  retainedVerificationsSuite,
  schedulesSuite,
  unfinishedErasuresSuite,
  uploadsDueSuite,
} from './suites/retention/retained-verifications.ts';
import { erasureLogIdsSuite, runsSuite } from './suites/retention/runs.ts';

/** Suites about how long data is kept, and its removal. */
export const RETENTION_SUITES: readonly Suite[] = [
  retainedVerificationsSuite,
  schedulesSuite,
  uploadsDueSuite,
  unfinishedErasuresSuite,
  recheckSuite,
  retentionChangesSuite,
  erasureSuite,
  erasureAtOnceSuite,
  finishedErasuresSuite,
  receiptsSuite,
  noReceiptsSuite,
  policiesSuite,
  erasureLogIdsSuite,
  runsSuite,
];
