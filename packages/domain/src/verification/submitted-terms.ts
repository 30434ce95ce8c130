import { isSamplePicture } from '../evidence/sample-picture.ts';
import { type IndexPurpose, type IndexTerm, termsOfAnswers } from '../matching/index-terms.ts';
import { termsOfReference } from '../matching/reference-terms.ts';
import { stepOf } from './flow.ts';
import { oncePer } from './once-per.ts';
import { isRejectedForFraud, type Verification } from './verification.ts';

/** What terms are made of. */
type Submitted = Pick<Verification, 'flow' | 'steps' | 'files'>;

/**
 * Lists the terms that other verifications of the client are compared by: those of the current answers, without those that are only for
 * search. A verification that waits for its subject has the terms of its last submission and of the steps that were redone since.
 */
export function indexTermsOf(submitted: Submitted): readonly IndexTerm[] {
  return termsIn(submitted).filter(({ isForSearch }) => isForSearch !== true);
}

/**
 * Lists the terms that a verification is labelled by: those of `indexTermsOf`, those for search, and those of a rejection for fraud. Family
 * names are among them, although only some clients index these.
 */
export function allTermsOf(verification: Verification): readonly IndexTerm[] {
  const terms = [...termsIn(verification), ...termsOfReference(verification.subjectReference)];
  return isRejectedForFraud(verification)
    ? [...terms, ...fraudTermsOf(verification, indexTermsOf(verification))]
    : terms;
}

/** Prefix of the terms of rejections for fraud. No other term begins with lower-case letters and `_`. */
const FRAUD = 'suspected_fraud ';

/** Purposes of the terms that a rejection for fraud marks. Contacts are left out: honest people may share them. */
const STRONG: readonly IndexPurpose[] = ['document_number', 'national_id', 'person', 'file'];

/** Lists the terms that name a document, a person or a file. The sample picture is left out: all verifications in test mode have it. */
export function strongTermsOf(terms: readonly IndexTerm[]): readonly IndexTerm[] {
  return terms.filter(({ purpose, text }) => STRONG.includes(purpose) && !isSamplePicture({ sha256: text }));
}

/**
 * Lists the terms by which rejections for fraud with the same document, number, person, file or reference are found. No other
 * verification has these terms, so the rejections are found however many others share something.
 * @param terms the verification's own (`indexTermsOf`)
 */
export function fraudTermsOf(
  { subjectReference }: Pick<Verification, 'subjectReference'>,
  terms: readonly IndexTerm[],
): readonly IndexTerm[] {
  const reference: IndexTerm = { purpose: 'person', text: `reference ${subjectReference}` };
  return [...strongTermsOf(terms), reference].map(({ purpose, text }) => ({ purpose, text: `${FRAUD}${text}` }));
}

/** Lists the terms of the current answers. Computed once for each verification, because it is labelled and compared by the same terms. */
const termsIn = oncePer(({ flow, steps, files }: Submitted): readonly IndexTerm[] => {
  const answered = Object.entries(steps).flatMap(([key, { answers }]) => {
    const fields = stepOf(flow, key)?.fields;
    return fields === undefined ? [] : [{ fields, answers }];
  });
  return termsOfAnswers({ steps: answered, files });
});
