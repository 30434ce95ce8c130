import { expect, it } from 'vitest';
import { CALLING_CODES } from './calling-code-data.ts';
import { COUNTRIES } from './countries.ts';

const HEADER = `// Generated from the metadata of libphonenumber-js (MIT, see CALLING-CODES-LICENSE): do not edit. \`npm run calling-codes\` writes it again.

/** The countries of each international calling code, ISO 3166-1 alpha-2, separated by spaces. Several countries share a code. */
export const CALLING_CODES: Readonly<Record<string, string>> = {
`;

/** Lists the countries of each code as the package has them, without those that no one can choose. */
async function sourceOf(): Promise<[code: string, countries: string[]][]> {
  const { default: metadata } = await import('libphonenumber-js/metadata.min.json');
  return Object.entries(metadata.country_calling_codes).map(([code, countries]) => {
    const listed = new Set<string>(countries);
    return [code, COUNTRIES.filter((country) => listed.has(country))];
  });
}

it('calling codes: the table equals the metadata of libphonenumber-js', async () => {
  const lines = (await sourceOf())
    .filter(([, countries]) => countries.length > 0)
    .map(([code, countries]) => `  ${code}: '${countries.join(' ')}',\n`);
  await expect(`${HEADER}${lines.join('')}};\n`).toMatchFileSnapshot('./calling-code-data.ts');
});

it('calling codes: the table has each country once, except those without numbers of their own', () => {
  const listed = Object.values(CALLING_CODES).flatMap((countries) => countries.split(' '));
  expect(new Set(listed).size).toBe(listed.length);
  // Their few inhabitants have numbers of other countries.
  const without = ['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM'];
  expect(listed.toSorted()).toEqual(COUNTRIES.filter((country) => !without.includes(country)).toSorted());
});
