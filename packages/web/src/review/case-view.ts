import {
  type Claim,
  type Move,
  type ReviewedVerification,
  type Status,
  targetOf,
  type User,
} from '@countersign/domain';
import type { FormValues } from '../forms/form-values.ts';
import type { Page } from '../site/page.ts';
import type { Names } from '../staff/users.tsx';
import type { Conflict } from './conflict.ts';
import type { Problems } from './problems.ts';
import type { Act } from './typed.ts';

/** What a reviewer typed and has not sent, and what is wrong with it. */
export interface Unsent {
  readonly act: Act;
  readonly values: FormValues;
  readonly problems: Problems;
}

/** What was done last, by the message it is told with. */
export const DONE = ['claimed', 'released', 'approved', 'rejected', 'asked', 'noted'] as const;
export type Done = (typeof DONE)[number];

/** All that the page of a case is made of. */
export interface CaseView {
  readonly page: Page;
  readonly reviewCase: ReviewedVerification;
  readonly names: Names;
  readonly reviewer: User;
  readonly now: Date;
  readonly unsent: Unsent | null;
  readonly conflict: Conflict | null;
  readonly done: Done | null;
}

/** Who works on the case; null where nobody does. */
export function claimOf({ verification }: ReviewedVerification): Claim | null {
  return verification.status === 'submitted' ? verification.claim : null;
}

/** Whether somebody else works on it. */
export function isHeldByOther({ reviewCase, reviewer }: Pick<CaseView, 'reviewCase' | 'reviewer'>): boolean {
  const claim = claimOf(reviewCase);
  return claim !== null && claim.reviewerId !== reviewer.id;
}

/** The acts of the console, as the domain names its moves. */
const MOVES: Readonly<Record<Act, Move>> = {
  claim: 'claim',
  release: 'release',
  note: 'note',
  approve: 'approve',
  reject: 'reject',
  ask: 'askForAction',
};

/** Whether this reviewer may do it to the case as it is now. */
export function mayDo(act: Act, { reviewCase, reviewer }: Pick<CaseView, 'reviewCase' | 'reviewer'>): boolean {
  return isAllowed(act, { status: reviewCase.verification.status, claim: claimOf(reviewCase) }, reviewer);
}

/** Whether the state allows the act, and no other reviewer's claim prevents it. */
export function isAllowed(
  act: Act,
  { status, claim }: { readonly status: Status; readonly claim: Claim | null },
  reviewer: User,
): boolean {
  if (targetOf(MOVES[act], status) === null) return false;
  switch (act) {
    case 'claim':
      return claim === null;
    case 'release':
      return claim !== null;
    case 'note':
      return true;
    case 'approve':
    case 'reject':
    case 'ask':
      return claim === null || claim.reviewerId === reviewer.id;
    default:
      return act satisfies never;
  }
}
