import { type IndexTerm, namesIn, termsOfPerson } from './index-terms.ts';

/**
 * Lists the terms of a full name that is searched for, as people write it: `Anna Maria Stein`, or `Stein, Anna Maria`. Without
 * a comma, every word but the first may begin the family name, so a person is found with all given names and with the first one alone.
 */
export function termsOfFullName(name: string, birthDate: string): readonly IndexTerm[] {
  const people = splitsOf(name).flatMap(([givenNames, familyName]) =>
    termsOfPerson({ birthDate, givenNames, familyName }),
  );
  return [...new Map(people.map((term) => [term.text, term])).values()];
}

/** More words than a name has. */
const WORDS_MAX = 20;

/** Lists the ways to split a name into given names and family name. */
function splitsOf(name: string): (readonly [givenNames: string, familyName: string])[] {
  const [familyName = '', ...givenNames] = name.split(',');
  if (givenNames.length > 0) return [[givenNames.join(' '), familyName]];
  const words = namesIn(name);
  if (words.length > WORDS_MAX) return [];
  if (words.length < 2) return [['', name]];
  return words.slice(1).map((_, index) => {
    const at = index + 1;
    return [words.slice(0, at).join(' '), words.slice(at).join(' ')];
  });
}
