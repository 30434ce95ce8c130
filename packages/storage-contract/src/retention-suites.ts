import type { RetainingStorage } from './records/retention.ts';
import type { Suite } from './suite.ts';
import { retentionChangesSuite } from './suites/retention/changes.ts';
import {
  recheckSuite,
  retainedVerificationsSuite,
  schedulesSuite,
} from './suites/retention/retained-verifications.ts';

/** Suites about how long data is kept, and its removal. */
export const RETENTION_SUITES: readonly Suite<RetainingStorage>[] = [
  retainedVerificationsSuite,
  schedulesSuite,
  recheckSuite,
  retentionChangesSuite,
];
