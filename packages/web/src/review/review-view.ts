import {
  type Claim,
  isClaimedByOther,
  isCountersignError,
  isMovePossible,
  type ReviewedVerification,
  type ReviewWarning,
  type Status,
  subjectNameOf,
  type Verification,
  type VerificationEvent,
} from '@countersign/domain';
import type { ExportRequest } from '@countersign/domain/exports';
import type { User } from '@countersign/domain/staff';
import type { FormValues } from '../forms/form-values.ts';
import type { Page } from '../site/page.ts';
import { referenceInWords } from '../staff/data-state.tsx';
import type { Names } from '../staff/users.tsx';
import type { Problems } from './problems.ts';
import { REVIEW_ACTIONS, type ReviewAction } from './typed.ts';

/** A form that comes back: its values, and the problems to correct. */
export interface Unsent {
  readonly action: ReviewAction;
  readonly values: FormValues;
  readonly problems: Problems;
  /** Whether nothing is wrong, and the reviewer is asked to confirm the decision. */
  readonly toConfirm: boolean;
}

/** What a reviewer decided today, in UTC, and the sum of that and what waits for a decision. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** The data of a verification's page in the console. */
export interface ReviewView {
  readonly page: Page;
  readonly reviewed: ReviewedVerification;
  readonly names: Names;
  readonly reviewer: User;
  readonly now: Date;
  /** The filters that the reviewer works with, as `workQuery` returns them. */
  readonly query: string;
  /** How far the reviewer is today; null while there is nothing to count. */
  readonly progress: Progress | null;
  readonly unsent: Unsent | null;
  readonly conflict: Conflict | null;
  /** The request for a copy of the data; undefined for users who may not release it. */
  readonly copyRequest: ExportRequest | null | undefined;
}

/** What the line above a case shows. */
export interface CaseHead extends Pick<ReviewView, 'page' | 'now' | 'query' | 'progress'> {
  readonly names: Pick<Names, 'of'>;
  readonly reviewer: Pick<User, 'id'>;
  readonly reviewed: Pick<ReviewedVerification, 'clientName' | 'endedBy'> & {
    readonly verification: Pick<Verification, 'id' | 'version' | 'subjectReference' | 'type' | 'flow' | 'steps'> &
      WaitingOrNot;
    readonly retention: Pick<ReviewedVerification['retention'], 'isHidden'>;
    readonly warnings: readonly Pick<ReviewWarning, 'code' | 'step' | 'path'>[];
  };
}

/** A verification that waits for a reviewer, or any other. */
type WaitingOrNot =
  | { readonly status: 'submitted'; readonly submittedAt: Date; readonly claim: Claim | null }
  | { readonly status: Exclude<Status, 'submitted'> };

/** Names a case by the person or business; by its reference while their name is not known. */
export function caseName({ verification }: Pick<CaseHead['reviewed'], 'verification'>, page: Page): string {
  return subjectNameOf(verification) ?? referenceInWords(verification, page);
}

/** Returns the claim on a submitted verification, or null. */
export function claimOf({ verification }: { readonly verification: WaitingOrNot }): Claim | null {
  return verification.status === 'submitted' ? verification.claim : null;
}

/** Whether another reviewer has claimed the verification. */
export function isHeldByOther({ reviewed, reviewer }: Pick<ReviewView, 'reviewed' | 'reviewer'>): boolean {
  return isClaimedByOther(claimOf(reviewed), reviewer.id);
}

/** Whether this reviewer may run the action on the verification in its current status. */
export function mayDo(
  action: ReviewAction,
  { reviewed, reviewer }: Pick<CaseHead, 'reviewed' | 'reviewer'>,
): boolean {
  return isMovePossible(
    REVIEW_ACTIONS[action].move,
    { status: reviewed.verification.status, claim: claimOf(reviewed) },
    reviewer.id,
  );
}

/** Why an action was refused: the verification changed meanwhile, or its events are too many. */
export interface Conflict {
  readonly code: 'VERSION_CONFLICT' | 'CLAIMED_BY_ANOTHER' | 'ILLEGAL_TRANSITION' | 'EVENT_LIMIT_REACHED';
  /** Events since the version that the reviewer saw, oldest first. */
  readonly meanwhile: readonly VerificationEvent[];
}

export type ConflictCode = Conflict['code'];

/** Returns the code of a refusal by the state of the verification; null for other errors. */
export function conflictCodeOf(error: unknown): ConflictCode | null {
  if (!isCountersignError(error)) return null;
  switch (error.code) {
    case 'VERSION_CONFLICT':
    case 'CLAIMED_BY_ANOTHER':
    case 'ILLEGAL_TRANSITION':
    case 'EVENT_LIMIT_REACHED':
      return error.code;
    default:
      return null;
  }
}

/** Collects the events that the reviewer has not seen. @param seen the version on the reviewer's page */
export function conflictOf(code: ConflictCode, { events }: ReviewedVerification, seen: number): Conflict {
  return { code, meanwhile: events.filter(({ version }) => version > seen) };
}
