import { type IndexTerm, termsOfAnswers } from '../matching/index-terms.ts';
import { stepOf } from './flow.ts';
import type { Verification } from './verification.ts';

/**
 * Lists the terms that other verifications of the client are found by: those of the current answers. A verification that waits for its
 * subject has the terms of its last submission and of the steps that were redone since.
 */
export function indexTermsOf({
  flow,
  steps,
  files,
}: Pick<Verification, 'flow' | 'steps' | 'files'>): readonly IndexTerm[] {
  const answered = Object.entries(steps).flatMap(([key, { answers }]) => {
    const fields = stepOf(flow, key)?.fields;
    return fields === undefined ? [] : [{ fields, answers }];
  });
  return termsOfAnswers({ steps: answered, files });
}
