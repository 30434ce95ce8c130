import { COUNTRIES } from '@countersign/domain/flows';
import { describe, expect, it } from 'vitest';
import { countryName, countryNamesIn } from '../site/formats.ts';
import { LANGUAGES } from '../site/language.ts';
import { countriesNamed, countryCode } from './country-names.ts';

describe('countriesNamed', () => {
  it('finds each country by its code and by its names in each language', () => {
    for (const code of COUNTRIES) {
      const names = LANGUAGES.flatMap((language) => countryNamesIn(language, code));
      for (const text of [code, code.toLowerCase(), ...names, ...names.map((name) => name.toUpperCase())]) {
        expect(countriesNamed(` ${text} `), text).toEqual([code]);
      }
    }
  });

  it.each([
    ['osterreich', 'AT'],
    ['Österreich', 'AT'],
    ['cote d ivoire', 'CI'],
    ['Turkey', 'TR'],
    ['Türkei', 'TR'],
    ['Turkiye', 'TR'],
    ['usa', 'US'],
    ['UK', 'GB'],
    ['Saint Lucia', 'LC'],
    ['bosnia and herzegovina', 'BA'],
    ['Bosnia', 'BA'],
    ['Hong Kong', 'HK'],
    ['Niger', 'NE'],
    ['Guinea', 'GN'],
  ])('ignores case, diacritics and small words: %j is %s', (text, code) => {
    expect(countriesNamed(text)).toEqual([code]);
  });

  it('lists every country that a name may mean', () => {
    expect(countriesNamed('Congo')).toEqual(['CD', 'CG']);
    expect(countriesNamed('kongo')).toEqual(['CD', 'CG']);
  });

  it.each(['', ' ', '-', 'Atlantis', 'XX', 'Germ', 'constructor', 'the', '('])('finds none for %j', (text) => {
    expect(countriesNamed(text)).toEqual([]);
  });
});

it('countryCode: a text that means no country, or several, stays', () => {
  expect(countryCode('deutschland')).toBe('DE');
  expect(countryCode('Congo')).toBe('Congo');
  expect(countryCode('Atlantis')).toBe('Atlantis');
  expect(countryName('en', countryCode('<b>'))).toBe('<b>');
});
