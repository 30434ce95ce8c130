import type { RetentionRepository } from '@countersign/domain/storage';
import type { Session } from '../../connection/session.ts';
import { createErase, createFinish } from './erasing.ts';
import { createErasureLogs } from './erasure-logs.ts';
import { createPlanning } from './planning.ts';
import { createReceipts } from './receipts.ts';
import { createRetainedVerifications } from './retained-verifications.ts';

/**
 * Creates the repository of retention. Each statement that changes a verification locks its row first, then its events, then the
 * attempts of its webhooks and its receipt, as commits and the sending of webhooks do.
 */
export function createRetentionRepository(session: Session): RetentionRepository {
  return {
    ...createRetainedVerifications(session),
    erase: createErase(session),
    finish: createFinish(session),
    ...createReceipts(session),
    ...createErasureLogs(session),
    ...createPlanning(session),
  };
}
