import { countriesOfPhone, hasCallingCode } from '../../fields/calling-codes.ts';
import type { Row } from '../../fields/placed-fields.ts';
import type { Verification } from '../verification.ts';
import { answeredRows } from './answered-rows.ts';
import type { ReviewWarning } from './review-warning.ts';

/**
 * Reports phone numbers whose calling code belongs to none of the countries in the answers: residence, nationalities, birth, documents and
 * those of a business. A shared code belongs to each of its countries.
 */
export function phoneWarnings(verification: Verification): ReviewWarning[] {
  const rows = answeredRows(verification);
  const given = new Set(rows.flatMap(countriesIn));
  // Places without a calling code use numbers of other countries.
  if (given.size === 0 || ![...given].every(hasCallingCode)) return [];
  const detail = [...given].join(', ');
  return rows
    .filter(({ field, value }) => field?.kind === 'phone' && typeof value === 'string' && isForeign(value, given))
    .map(({ step, path }) => ({ code: 'phone_country_differs', step, path, detail }));
}

function isForeign(phone: string, given: ReadonlySet<string>): boolean {
  const countries = countriesOfPhone(phone);
  return countries.length > 0 && !countries.some((country) => given.has(country));
}

function countriesIn({ field, value }: Row): readonly string[] {
  const isCountry = field?.kind === 'country' || (field?.kind === 'list' && field.each.kind === 'country');
  return isCountry ? [value].flat().filter((country) => typeof country === 'string') : [];
}
