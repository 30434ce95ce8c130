import { isHidden } from '../retention/data-state.ts';
import { type RetentionFacts, retentionFactsOf } from '../retention/retention-facts.ts';
import type { KeptData } from './retained.ts';
import { isLegalMove } from './status.ts';
import type { Hold, Verification } from './verification.ts';
import { visiblePart } from './visible-part.ts';

/** How long the data of a verification is kept, and what may change that now, for its pages. */
export interface RetentionView
  extends KeptData,
    Pick<RetentionFacts, 'relationshipEndedAt' | 'heldAt' | 'erasedAt'> {
  /** Null without a hold, once the data is hidden, and for those who may not release the hold. */
  readonly holdReason: string | null;
  /** Who set the hold; null without one. Only operators change a hold of an operator. */
  readonly holdSetBy: Hold['setBy'] | null;
  /** Whether answers, files and metadata are hidden. */
  readonly isHidden: boolean;
  readonly mayHold: boolean;
  readonly mayReleaseHold: boolean;
  readonly mayEndRelationship: boolean;
  /** Whether its erasure can be requested, immediately or after a withdrawal. */
  readonly mayErase: boolean;
  /** Whether the erasure withdraws it first, because the subject still has to work on it. */
  readonly erasureWithdraws: boolean;
  readonly mayOpenRestricted: boolean;
}

/** Makes the view of a verification for its pages. */
export function retentionViewOf(verification: Verification, { data, legalEnd }: KeptData): RetentionView {
  const { relationshipEndedAt, heldAt, erasureRequestedAt, erasedAt } = retentionFactsOf(verification);
  const erasureWithdraws = isLegalMove('withdraw', verification);
  const isErasable = erasureWithdraws || isLegalMove('requestErasure', verification);
  const isOnHold = data.state === 'held';
  return {
    data,
    legalEnd,
    relationshipEndedAt,
    heldAt,
    erasedAt,
    // A released hold leaves its reason in the sealed part.
    holdReason: isOnHold ? (visiblePart(verification).hold?.reason ?? null) : null,
    holdSetBy: isOnHold ? (verification.hold?.setBy ?? null) : null,
    isHidden: isHidden(verification),
    mayHold: isLegalMove('hold', verification),
    mayReleaseHold: isOnHold && isLegalMove('releaseHold', verification),
    mayEndRelationship: isLegalMove('endRelationship', verification),
    mayErase: erasureRequestedAt === null && isErasable,
    erasureWithdraws,
    mayOpenRestricted: isHidden(verification) && isLegalMove('openRestricted', verification),
  };
}
