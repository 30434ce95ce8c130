import type { ReviewedVerification } from '@countersign/domain';
import type { User } from '@countersign/domain/staff';
import type { ReviewView } from '../src/review/review-view.ts';
import { aUser } from './console.ts';
import { aPage } from './drawn.ts';

/** The reviewer who looks at a case. */
export const REVIEWER: User = aUser('staff-1', { role: 'reviewer', name: 'Rita Ora' });

/** Test data: what the page of a case shows to `REVIEWER`, who has sent no form. */
export function aView(reviewed: ReviewedVerification, more: Partial<ReviewView> = {}): ReviewView {
  const names = {
    find: (id: string | null) => id && `name of ${id}`,
    of: (id: string | null) => `name of ${id}`,
    ofActor: ({ id }: { readonly id: string | null }) => `name of ${id}`,
  };
  return {
    page: aPage(),
    reviewed,
    names,
    reviewer: REVIEWER,
    now: new Date('2026-01-15T13:00:00.000Z'),
    query: '?type=kyc',
    progress: null,
    unsent: null,
    conflict: null,
    copyRequest: undefined,
    ...more,
  };
}

/** Returns the case with these changes to its verification. The caller keeps status and values consistent. */
export function changedCase(reviewed: ReviewedVerification, changes: object): ReviewedVerification {
  return { ...reviewed, verification: { ...reviewed.verification, ...changes } };
}
