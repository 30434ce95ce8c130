import { isSamplePicture } from '../../evidence/sample-picture.ts';
import type { Field } from '../../fields/field.ts';
import type { IndexPurpose, IndexTerm } from '../../matching/index-terms.ts';
import { answersOf } from '../answers.ts';
import { type StepKey, stepsOf } from '../flow.ts';
import { dayOf } from '../steps/shared-fields.ts';
import { indexTermsOf } from '../submitted-terms.ts';
import { isRejectedForFraud, type Verification } from '../verification.ts';
import { DAY_MS } from '../verification-counts.ts';
import { answeredRows } from './answered-rows.ts';
import { holderOf } from './document-warnings.ts';
import { isNamesake } from './named-people.ts';
import type { OtherCase, ReviewWarning, WarningCode, WarningContext } from './review-warning.ts';

/** A document that ends within these days is about to be replaced: its holder may have the next one already. */
const RENEWED_BEFORE_DAYS = 90;

/**
 * Warns of what other cases of the client say of this person, document, number or file. Lawful reasons are left out or only
 * information: renewals under the same reference, families and agents who share a contact, documents that follow one another.
 */
export function matchWarnings(
  verification: Verification,
  context: Pick<WarningContext, 'now' | 'others'>,
): ReviewWarning[] {
  const found = (context.others ?? []).flatMap((other) => {
    const terms = sharedTerms(verification, other);
    return findings({ verification, other, terms, now: context.now }).map(([code, term]) => ({
      code,
      term,
      other,
    }));
  });
  const warnings = new Map<string, ReviewWarning & { readonly others: OtherCase[] }>();
  for (const { code, term, other } of found) {
    const { step, path } = placeOf(verification, term);
    const key = `${code} ${step} ${path}`;
    const warning = warnings.get(key) ?? { code, step, path, others: [] };
    warning.others.push(otherCaseOf(other));
    warnings.set(key, warning);
  }
  return [...warnings.values()];
}

/** What two cases of one client share: places in the answers of the first. */
interface Compared {
  readonly verification: Verification;
  readonly other: Verification;
  readonly terms: readonly IndexTerm[];
  readonly now: Date;
}

/** A code, and the place of what was compared; without one it is the case as a whole. */
type Finding = readonly [code: WarningCode, place?: IndexTerm | undefined];

function findings(compared: Compared): Finding[] {
  const { verification, other, terms } = compared;
  const isSameReference = verification.subjectReference === other.subjectReference;
  const shared = (purpose: IndexPurpose) => terms.find((term) => term.purpose === purpose);
  const [person, file, contact] = [shared('person'), shared('file'), shared('email') ?? shared('phone')];
  const owned = [shared('document_number'), shared('national_id')].filter((term) => term !== undefined);
  const strong = owned[0] ?? person ?? file;
  const result: Finding[] = [];
  if (isRejectedForFraud(other) && (strong !== undefined || isSameReference))
    result.push(['rejected_for_fraud', strong]);
  for (const term of owned) if (isAnotherPerson(compared)) result.push(['used_by_another_person', term]);
  if (file !== undefined) result.push([isSameReference ? 'file_in_earlier_case' : 'file_in_other_case', file]);
  if (isSameReference) return [...result, ['earlier_verification']];
  if (person !== undefined)
    result.push([hasAnotherDocument(compared) ? 'person_with_another_document' : 'person_in_other_case', person]);
  if (contact !== undefined && person === undefined) result.push(['contact_in_other_case', contact]);
  return result;
}

/** Whether the documents of two cases have holders whose names or dates of birth differ. */
function isAnotherPerson({ verification, other }: Compared): boolean {
  const [one, two] = [holderOf(verification), holderOf(other)];
  if (one === undefined || two === undefined) return false;
  const isOtherDate =
    one.dateOfBirth !== undefined && two.dateOfBirth !== undefined && one.dateOfBirth !== two.dateOfBirth;
  return isOtherDate || !isNamesake(one, two);
}

/** Whether one person has two valid documents: neither has expired, nor is about to. */
function hasAnotherDocument({ verification, other, terms, now }: Compared): boolean {
  const documents = [verification, other].map((each) => answersOf(each, 'document'));
  if (documents.some((document) => document?.number === undefined)) return false;
  if (terms.some(({ purpose }) => purpose === 'document_number')) return false;
  const replaced = dayOf(new Date(now.getTime() + RENEWED_BEFORE_DAYS * DAY_MS));
  return documents.every((document) => document?.expiresOn === undefined || document.expiresOn > replaced);
}

/** Returns the terms of a case that another has too. All cases of test mode have the sample picture. */
function sharedTerms(verification: Verification, other: Verification): IndexTerm[] {
  const known = new Set(indexTermsOf(other).map(({ purpose, text }) => `${purpose} ${text}`));
  return indexTermsOf(verification).filter(
    ({ purpose, text }) => known.has(`${purpose} ${text}`) && !isSamplePicture({ sha256: text }),
  );
}

/** Whether a field holds what a term of this purpose is made of. */
const HOLDS: Readonly<Record<IndexPurpose, (field: Field) => boolean>> = {
  document_number: ({ indexedAs }) => indexedAs?.purpose === 'document_number',
  national_id: ({ indexedAs }) => indexedAs?.purpose === 'national_id',
  person: ({ purpose }) => purpose === 'family-name',
  email: ({ kind }) => kind === 'email',
  phone: ({ kind }) => kind === 'phone',
  file: ({ kind }) => kind === 'file',
  family_name: ({ purpose }) => purpose === 'family-name',
};

/** Finds where a term stands in the answers; without a term, the person whom the case is about. */
function placeOf(verification: Verification, term: IndexTerm | undefined): Pick<ReviewWarning, 'step' | 'path'> {
  const { flow, files } = verification;
  const holds = HOLDS[term?.purpose ?? 'person'];
  const hash = (value: unknown) => files.find(({ id }) => id === value)?.sha256;
  const places = answeredRows(verification).filter(({ field }) => field && holds(field));
  const own = term?.purpose === 'file' ? places.find(({ value }) => hash(value) === term.text) : places[0];
  return own ? { step: own.step, path: own.path } : { step: stepsOf(flow)[0] as StepKey, path: '' };
}

function otherCaseOf({ id, status }: Verification): OtherCase {
  return { verificationId: id, status };
}
