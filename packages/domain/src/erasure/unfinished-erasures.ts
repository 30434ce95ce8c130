import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository } from './retention-repository.ts';

/** How long an erasure may take. Another process goes on with one after five minutes. */
const LONGEST_MS = 10 * 60 * 1000;

/**
 * Finds up to `limit` erasures that began more than ten minutes ago and have not finished, the earliest first: their data or their files
 * are left, or their entry in the audit log is missing.
 */
export function findUnfinishedErasures(
  retention: Pick<RetentionRepository, 'unfinished'>,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly RetainedVerification[]> {
  return retention.unfinished({ begunBefore: new Date(now.getTime() - LONGEST_MS), limit });
}
