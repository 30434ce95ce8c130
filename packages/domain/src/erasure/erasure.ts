import type { JsonObject } from '../input/json.ts';

/**
 * Why a verification was erased: a request, the policy of its client for its outcome (approved: by the end of the relationship,
 * also where only the legal obligation lasts that long, or by the longest time), or an entry of the erasure log that the database lacked after a restore.
 */
export const ERASURE_RULES = [
  'requested',
  'approved_after_end',
  'approved_longest',
  'rejected',
  'unfinished',
  'log',
] as const;
/** Why a verification was erased: the retention period that ended, a request, or the erasure log. */
export type ErasureRule = (typeof ERASURE_RULES)[number];

/** The receipt of an erasure. It has ids, times and counts, no personal data, and is never changed once it is finished. */
export interface Erasure {
  /** Its number in the erasure log: unique in the installation, from 1. */
  readonly number: number;
  readonly clientId: string;
  readonly verificationId: string;
  readonly at: Date;
  readonly rule: ErasureRule;
  /** Completed steps, uploaded files and events that lost their data. */
  readonly steps: number;
  readonly files: number;
  readonly events: number;
  /** SHA-256 of what is left (stored-traces.ts), as 64 lower-case hexadecimal characters. */
  readonly hash: string;
  /** When the store of files confirmed that no file is left, and the audit entry was written; null until then. */
  readonly finishedAt: Date | null;
}

/** Returns what the entry of the audit log says of an erasure, besides its verification. */
export function auditDetailOf({ number, rule, steps, files, events, hash }: Erasure): JsonObject {
  return { number, rule, steps, files, events, hash };
}
