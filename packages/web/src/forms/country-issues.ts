import type { JsonObject } from '@countersign/domain';
import { countryName, listInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { countriesNamed } from './country-names.ts';
import type { FieldTexts } from './draw-field.tsx';

/** Returns texts whose messages name the countries that a typed name may mean. */
export function withCountryIssues({ t, language }: Page, texts: FieldTexts, input: JsonObject): FieldTexts {
  return {
    ...texts,
    issue(path, issue) {
      const typed = issue.code === 'not_a_country' ? textAt(input, issue.path) : '';
      const names = countriesNamed(typed).map((code) => countryName(language, code));
      if (names.length < 2 || path === null) return texts.issue(path, issue);
      return t('site:severalCountries', {
        names: listInWords(names.slice(0, NAMES_MAX), language, 'disjunction'),
      });
    },
  };
}

/** `St` begins the names of more countries than a message can list. */
const NAMES_MAX = 5;

function textAt(input: unknown, path: string): string {
  let found: unknown = input;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return '';
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return typeof found === 'string' ? found : '';
}
