import { COUNTRIES } from '@countersign/domain';
import type { Language } from '../site/messages.ts';
import type { Choice } from './choice-fields.tsx';

const lists = new Map<Language, readonly Choice[]>();

/** Every country by its name in the reader's language, in that language's order. */
export function countryChoices(language: Language): readonly Choice[] {
  const known = lists.get(language);
  if (known !== undefined) return known;
  const { compare } = new Intl.Collator(language);
  const choices = [...COUNTRIES]
    .map((code) => ({ value: code, label: countryName(language, code) }))
    .sort((a, b) => compare(a.label, b.label));
  lists.set(language, choices);
  return choices;
}

/** `Germany` or `Deutschland` for `DE`; the code itself where there is no such country. */
export function countryName(language: Language, code: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
  } catch (error) {
    // What is no country code at all is a RangeError.
    if (error instanceof RangeError) return code;
    throw error;
  }
}
