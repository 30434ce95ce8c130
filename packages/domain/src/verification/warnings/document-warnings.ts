import type { Partly } from '../../fields/field.ts';
import { below } from '../../fields/paths.ts';
import { answersOf } from '../answers.ts';
import type { StepKey } from '../flow.ts';
import { dayOf, type IdentityDocument } from '../steps/shared-fields.ts';
import type { Verification } from '../verification.ts';
import { isNamesake, type PersonInAnswers, peopleOf } from './named-people.ts';
import type { ReviewWarning, WarningContext } from './review-warning.ts';

/** Warns of documents that have expired since they were submitted. */
export function expiryWarnings(verification: Verification, { now }: WarningContext): ReviewWarning[] {
  return documentsOf(verification)
    .filter(({ document: { expiresOn } }) => expiresOn !== undefined && expiresOn < dayOf(now))
    .map(({ step, path }) => ({ code: 'document_expired', step, path: below(path, 'expiresOn') }));
}

/** Warns of passports and identity cards of a country that is not among the person's nationalities. */
export function countryWarnings(verification: Verification): ReviewWarning[] {
  const nationalities = nationalitiesOf(verification);
  if (nationalities.length === 0) return [];
  return documentsOf(verification)
    .filter(({ document: { type } }) => type === 'passport' || type === 'id_card')
    .filter(({ document: { issuingCountry } }) => issuingCountry && !nationalities.includes(issuingCountry))
    .map(({ step, path }) => {
      const detail = nationalities.join(', ');
      return { code: 'country_mismatch', step, path: below(path, 'issuingCountry'), detail };
    });
}

interface PlacedDocument {
  readonly step: StepKey;
  readonly path: string;
  readonly document: Partly<IdentityDocument>;
}

function documentsOf(verification: Verification): PlacedDocument[] {
  const document = answersOf(verification, 'document');
  const ofRepresentative = answersOf(verification, 'representative')?.document;
  return [
    ...(document === undefined ? [] : [{ step: 'document', path: '', document } as const]),
    ...(ofRepresentative === undefined
      ? []
      : [{ step: 'representative', path: 'document', document: ofRepresentative } as const]),
  ];
}

/** Returns the nationalities of the document's holder; empty if the answers do not name them. */
function nationalitiesOf(verification: Verification): readonly string[] {
  const people = peopleOf(verification);
  const holder = people.find(isHolder);
  if (holder === undefined) return [];
  const named = people.filter((person) => person === holder || isNamesake(person, holder));
  return [...new Set(named.flatMap(({ nationalities }) => nationalities))];
}

/** Returns the person whose document is shown: of a business, its representative. Undefined if the answers do not name them. */
export function holderOf(verification: Verification): PersonInAnswers | undefined {
  return peopleOf(verification).find(isHolder);
}

function isHolder({ step }: PersonInAnswers): boolean {
  return step === 'person' || step === 'consent';
}
