/** The facts beside the status of a verification that decide how long its data is kept. All are null at creation. */
export interface RetentionFacts {
  /** When the client's relationship with the subject ended: the retention of an approved verification begins then. */
  readonly relationshipEndedAt: Date | null;
  /** Since when a hold prevents the erasure; null without a hold. */
  readonly heldAt: Date | null;
  /** The user who put it on hold; null without a hold and for a hold from the command line. */
  readonly heldBy: string | null;
  /** When the hold ends by itself; null without an end. */
  readonly heldUntil: Date | null;
  /** When the erasure was requested. Answers, files and metadata are hidden from then on. */
  readonly erasureRequestedAt: Date | null;
  /** When the erasure began. Nothing can stop it from then on. */
  readonly erasedAt: Date | null;
  /** The number of the erasure in the erasure log, set by the step that removes the data; null before. */
  readonly erasureNumber: number | null;
  /** When the retention job looks at the verification next; null if it never has to. Only a decided one has it. */
  readonly retentionCheckAt: Date | null;
  /** When the retention job looks at its replaced uploads next; null without any. */
  readonly uploadsCheckAt: Date | null;
}

/** The facts of a new verification. */
export const NO_RETENTION_FACTS: RetentionFacts = {
  relationshipEndedAt: null,
  heldAt: null,
  heldBy: null,
  heldUntil: null,
  erasureRequestedAt: null,
  erasedAt: null,
  erasureNumber: null,
  retentionCheckAt: null,
  uploadsCheckAt: null,
};

/** Copies these facts alone. */
export function retentionFactsOf(facts: RetentionFacts): RetentionFacts {
  return {
    relationshipEndedAt: facts.relationshipEndedAt,
    heldAt: facts.heldAt,
    heldBy: facts.heldBy,
    heldUntil: facts.heldUntil,
    erasureRequestedAt: facts.erasureRequestedAt,
    erasedAt: facts.erasedAt,
    erasureNumber: facts.erasureNumber,
    retentionCheckAt: facts.retentionCheckAt,
    uploadsCheckAt: facts.uploadsCheckAt,
  };
}

/** How the subject reference of an erased verification begins. A creation with such a reference is refused. */
export const ERASED_REFERENCE = 'erased:';

/** The subject reference of a verification whose data is erased: no client can have chosen it. */
export function erasedReference(verificationId: string): string {
  return `${ERASED_REFERENCE}${verificationId}`;
}
