import { CALLING_CODES } from './calling-code-data.ts';

/** Digits of the longest calling code. No code begins with another. */
const LONGEST_CODE_DIGITS = 3;

/** Countries that have a calling code. */
const WITH_CODE = new Set(Object.values(CALLING_CODES).flatMap((countries) => countries.split(' ')));

/** Whether phone numbers of the country begin with a known calling code. */
export function hasCallingCode(country: string): boolean {
  return WITH_CODE.has(country);
}

/**
 * Lists the countries whose calling code a phone number begins with. Some countries share a code. Empty if the code belongs to no known
 * country: satellites have such codes.
 * @param phone E.164
 * @example countriesOfPhone('+442079460000'); // ['GB', 'GG', 'IM', 'JE']
 */
export function countriesOfPhone(phone: string): readonly string[] {
  if (!phone.startsWith('+')) return [];
  for (let digits = 1; digits <= LONGEST_CODE_DIGITS; digits += 1) {
    const countries = CALLING_CODES[phone.slice(1, 1 + digits)];
    if (countries !== undefined) return countries.split(' ');
  }
  return [];
}
