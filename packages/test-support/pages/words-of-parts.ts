import type { StoragePart } from '@countersign/domain/storage';

/** The words by which pages name parts of the storage, in English and German. Some parts have none. */
export const WORDS_OF_PARTS: readonly (readonly [StoragePart, RegExp])[] = [
  ['webhooks', /webhook/i],
  // A hold that was set while the storage had the part is still shown.
  [
    'retention',
    /\beras(e|ed|es|ure|ures|ing)\b|\b(deleted?|deleting|deletion)\b|retention|lösch(?!ung gesperrt)|aufbewahrung/i,
  ],
  ['exports', /cop(y|ies) of [\w’ ]*data|kopien? (der|ihrer) daten/i],
  ['handOvers', /another device|(andere[ns]|weitere[ns]) gerät/i],
  ['appearances', /\bappearance|erscheinungsbild/i],
];

/**
 * Returns the words in a text that name one of the parts, each with the text around it.
 * @param without the parts that the text must not name
 */
export function namedParts(text: string, without: readonly StoragePart[]): readonly string[] {
  return WORDS_OF_PARTS.flatMap(([part, words]) => {
    const found = without.includes(part) ? words.exec(text) : null;
    return found === null ? [] : [`${part}: … ${text.slice(Math.max(0, found.index - 30), found.index + 50)} …`];
  });
}
