import type { EvidenceFile } from '../evidence/evidence-file.ts';
import type { StepKey } from './flow.ts';
import type { ActionRequest, Decision, InternalNote } from './review.ts';
import type { CompletedSteps, Drafts, EarlierAnswers } from './verification.ts';

/** What `answers` of a record holds. */
export interface Answers {
  readonly steps?: CompletedSteps;
  readonly earlier?: readonly EarlierAnswers[];
  readonly drafts?: Drafts;
}

/** Files that were kept before pictures were judged have no warnings. */
type StoredFile = Omit<EvidenceFile, 'warnings'> & Partial<Pick<EvidenceFile, 'warnings'>>;

/** What `reviewData` of a record holds. */
export interface ReviewData {
  readonly files?: readonly StoredFile[];
  readonly internalNotes?: readonly InternalNote[];
  readonly request?: ActionRequest;
  readonly awaiting?: readonly StepKey[];
  readonly decision?: Decision;
}
