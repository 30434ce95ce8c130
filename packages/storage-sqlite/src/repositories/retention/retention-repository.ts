import type { RetentionRepository } from '@countersign/domain/storage';
import type { Session } from '../../connection/session.ts';
import { createRetentionChanges } from './changes.ts';
import { createClientRetention } from './client-retention.ts';
import { createErasing } from './erasing.ts';
import { createErasureLogs } from './erasure-logs.ts';
import { createReceipts } from './receipts.ts';
import { createRetainedVerifications } from './retained-verifications.ts';
import { createRuns } from './retention-runs.ts';

export function createRetentionRepository(session: Session): RetentionRepository {
  return {
    ...createRetainedVerifications(session),
    ...createRetentionChanges(session),
    ...createErasing(session),
    ...createReceipts(session),
    ...createClientRetention(session),
    ...createErasureLogs(session),
    ...createRuns(session),
  };
}
