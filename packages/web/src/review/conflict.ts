import type { ReviewedVerification, VerificationEvent } from '@countersign/domain';
import { isCountersignError } from '@countersign/domain';

/** Why a decision was not taken: somebody else was first. */
export interface Conflict {
  readonly code: 'VERSION_CONFLICT' | 'CLAIMED_BY_ANOTHER' | 'ILLEGAL_TRANSITION';
  /** What happened after the reviewer opened the case, oldest first. */
  readonly meanwhile: readonly VerificationEvent[];
}

export type ConflictCode = Conflict['code'];

/** The code of an answer that tells a reviewer that the case is not as they saw it; null for any other. */
export function conflictCodeOf(error: unknown): ConflictCode | null {
  if (!isCountersignError(error)) return null;
  switch (error.code) {
    case 'VERSION_CONFLICT':
    case 'CLAIMED_BY_ANOTHER':
    case 'ILLEGAL_TRANSITION':
      return error.code;
    default:
      return null;
  }
}

/** @param seen the version on the reviewer's page */
export function conflictOf(code: ConflictCode, { events }: ReviewedVerification, seen: number): Conflict {
  return { code, meanwhile: events.filter(({ version }) => version > seen) };
}
