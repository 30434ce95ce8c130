import { COUNTRIES } from '@countersign/domain/flows';
import { countryNamesIn } from '../site/formats.ts';
import { LANGUAGES } from '../site/language.ts';

/** Names that people use beside those of the languages, folded. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  america: 'US',
  burma: 'MM',
  'czech republic': 'CZ',
  england: 'GB',
  'great britain': 'GB',
  grossbritannien: 'GB',
  holland: 'NL',
  'ivory coast': 'CI',
  elfenbeinkuste: 'CI',
  'northern ireland': 'GB',
  schottland: 'GB',
  scotland: 'GB',
  swaziland: 'SZ',
  swasiland: 'SZ',
  tschechei: 'CZ',
  turkey: 'TR',
  usa: 'US',
  'united states of america': 'US',
  wales: 'GB',
  weissrussland: 'BY',
};

/** Words that names of countries have in some spellings only. */
const WORDS: Readonly<Record<string, string>> = { saint: 'st', sankt: 'st', and: '', und: '', the: '' };

/** The codes by folded name. A name may stand for several countries. */
let byName: ReadonlyMap<string, readonly string[]> | undefined;

function codesByName(): ReadonlyMap<string, readonly string[]> {
  if (byName !== undefined) return byName;
  const found = new Map<string, string[]>(Object.entries(OTHER_NAMES).map(([name, code]) => [name, [code]]));
  for (const code of COUNTRIES) {
    for (const name of LANGUAGES.flatMap((language) => countryNamesIn(language, code)).map(folded)) {
      const codes = found.get(name);
      if (codes === undefined) found.set(name, [code]);
      else if (!codes.includes(code)) codes.push(code);
    }
  }
  byName = found;
  return found;
}

/**
 * Lists the countries that a text may mean: by code, by name in any language of the service, or by the beginning of a name, in
 * whole words. Case, diacritics and punctuation are ignored. None for an unknown country; several for `Congo`.
 */
export function countriesNamed(text: string): readonly string[] {
  const code = text.trim().toUpperCase();
  if (COUNTRIES.includes(code)) return [code];
  const name = folded(text);
  if (name === '') return [];
  const names = codesByName();
  const exact = names.get(name);
  if (exact !== undefined) return exact;
  const beginning = [...names].filter(([other]) => other.startsWith(`${name} `)).flatMap(([, codes]) => codes);
  return [...new Set(beginning)].sort();
}

/** Returns the code of the country that a text means, or the text if it means none or several. */
export function countryCode(text: string): string {
  const [code, ...others] = countriesNamed(text);
  return code === undefined || others.length > 0 ? text : code;
}

/** Returns a name in lower case without diacritics and punctuation. */
function folded(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i');
  const words = plain.split(/[^\p{L}\p{N}]+/u).map((word) => WORDS[word] ?? word);
  return words.filter((word) => word !== '').join(' ');
}
