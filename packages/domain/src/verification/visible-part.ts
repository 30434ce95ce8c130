import { isHidden } from '../retention/data-state.ts';
import { currentStepOf } from './progress.ts';
import type { Verification } from './verification.ts';

/**
 * Returns what the API and all pages show of a verification: the whole of it, or, once its erasure was requested, what is left
 * after the erasure, and the reasons of its decision. Every read of answers goes through it, except an
 * opening with a reason. Reads of files refuse hidden data instead (`files-of-client.ts`).
 */
export function visiblePart(verification: Verification): Verification {
  if (!isHidden(verification)) return verification;
  return {
    ...verification,
    stepBeforeErasure: currentStepOf(verification),
    metadata: {},
    notify: null,
    steps: {},
    drafts: {},
    earlierAnswers: [],
    files: [],
    internalNotes: [],
    hold: null,
    openings: [],
  };
}
