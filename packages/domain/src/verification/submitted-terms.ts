import { type IndexTerm, termsOfAnswers } from '../matching/index-terms.ts';
import { stepOf } from './flow.ts';
import type { Verification } from './verification.ts';

/** What terms are made of. */
type Submitted = Pick<Verification, 'flow' | 'steps' | 'files'>;

/**
 * Lists the terms that other verifications of the client are found by: those of the current answers, without family names alone, which
 * namesakes share. A verification that waits for its subject has the terms of its last submission and of the steps that were redone since.
 */
export function indexTermsOf(submitted: Submitted): readonly IndexTerm[] {
  return allTermsOf(submitted).filter(({ purpose }) => purpose !== 'family_name');
}

/** Lists the terms that a verification is labelled by, with those of family names, which only some clients index. */
export function allTermsOf({ flow, steps, files }: Submitted): readonly IndexTerm[] {
  const answered = Object.entries(steps).flatMap(([key, { answers }]) => {
    const fields = stepOf(flow, key)?.fields;
    return fields === undefined ? [] : [{ fields, answers }];
  });
  return termsOfAnswers({ steps: answered, files });
}
