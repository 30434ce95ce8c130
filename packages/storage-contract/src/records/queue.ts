import type { JsonObject, QueueQuery, Storage, VerificationRecord } from '@countersign/domain';
import { expect } from 'vitest';
import { verificationId } from './ids.ts';

/** Whoever reviews, by number. */
export const reviewer = (n: number): string => `reviewer-${n}`;

/** Everything that is submitted, unless told otherwise. */
export function aQueueQuery(given: Partial<QueueQuery> = {}): QueueQuery {
  return {
    status: 'submitted',
    type: undefined,
    clientId: undefined,
    claimedBy: undefined,
    offset: 0,
    limit: 100,
    ...given,
  };
}

/** The record as a queue may have it: `answers` and `reviewData`, which nobody reads there, each as stored or empty. */
export function asQueued(record: VerificationRecord): VerificationRecord {
  const storedOrEmpty = (value: JsonObject) => expect.toBeOneOf([value, {}]) as JsonObject;
  return { ...record, answers: storedOrEmpty(record.answers), reviewData: storedOrEmpty(record.reviewData) };
}

/** What is found: ids in their order, and the total. */
export interface Found {
  readonly ids: string[];
  readonly totalCount: number;
}

export async function queued(storage: Storage, given: Partial<QueueQuery> = {}): Promise<Found> {
  const { records, totalCount } = await storage.verifications.queue(aQueueQuery(given));
  return { ids: records.map(({ id }) => id), totalCount };
}

/** These verifications and no more. */
export function found(...numbers: number[]): Found {
  return { ids: numbers.map(verificationId), totalCount: numbers.length };
}
