import { answersOf } from '../answers.ts';
import { isLei } from '../steps/kyb.ts';
import type { Verification } from '../verification.ts';
import { present } from './named-people.ts';
import type { NumberCheck, NumberChecks, ReviewWarning, WarningContext } from './review-warning.ts';

/** Warns of numbers whose check digits do not fit their country. */
export function numberWarnings(verification: Verification, { numberChecks }: WarningContext): ReviewWarning[] {
  return [
    ...(numberChecks === undefined ? [] : nationalNumbers(verification, numberChecks)),
    ...(numberChecks === undefined ? [] : companyNumbers(verification, numberChecks)),
    ...legalEntityIdentifier(verification),
  ];
}

function nationalNumbers(verification: Verification, checks: NumberChecks): ReviewWarning[] {
  const { nationalIdNumber: number, nationalities = [] } = answersOf(verification, 'person') ?? {};
  if (number === undefined) return [];
  const issuer = answersOf(verification, 'document')?.issuingCountry;
  const countries = [...new Set(present([...nationalities, issuer]))];
  const detail = misfit(countries, (country) => checks.nationalId(country, number));
  if (detail === null) return [];
  return [{ code: 'national_id_does_not_fit', step: 'person', path: 'nationalIdNumber', detail }];
}

function companyNumbers(verification: Verification, checks: NumberChecks): ReviewWarning[] {
  const business = answersOf(verification, 'business') ?? {};
  const { countryOfIncorporation, registrationNumber, taxId, vatNumber } = business;
  if (countryOfIncorporation === undefined) return [];
  const numbers = [
    ['registration_number_does_not_fit', 'registrationNumber', registrationNumber],
    ['tax_id_does_not_fit', 'taxId', taxId],
    ['vat_number_does_not_fit', 'vatNumber', vatNumber],
  ] as const;
  return numbers.flatMap(([code, path, number]) => {
    if (number === undefined) return [];
    const detail = misfit([countryOfIncorporation], (country) => checks[path](country, number));
    return detail === null ? [] : [{ code, step: 'business', path, detail } as const];
  });
}

/** Returns the countries that the number does not fit; null if it fits one of them or none can be checked. */
function misfit(countries: readonly string[], check: (country: string) => NumberCheck): string | null {
  const results = countries.map((country) => [country, check(country)] as const);
  if (results.some(([, result]) => result === 'fits')) return null;
  const wrong = results.filter(([, result]) => result === 'does_not_fit').map(([country]) => country);
  return wrong.length === 0 ? null : wrong.join(', ');
}

/** Warns of a wrong LEI in answers that were imported: new answers with one are refused. */
function legalEntityIdentifier(verification: Verification): ReviewWarning[] {
  const lei = answersOf(verification, 'business')?.lei;
  return lei === undefined || isLei(lei) ? [] : [{ code: 'lei_does_not_fit', step: 'business', path: 'lei' }];
}
