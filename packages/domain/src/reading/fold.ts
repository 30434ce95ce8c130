import type { ReadField } from '../fields/read-fields.ts';
import { characterCount } from '../input/text.ts';

/** Letters that a machine-readable zone spells with others (ICAO Doc 9303, part 3, section 6), beside those that only lose a mark. */
const SPELLED: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'OE',
  Å: 'AA',
  Ä: 'AE',
  Ö: 'OE',
  Ü: 'UE',
  ẞ: 'SS',
  Ñ: 'NXX',
  Þ: 'TH',
  Ĳ: 'IJ',
};

/** Letters without a mark that Unicode could take away. */
const PLAIN: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'O',
  ẞ: 'SS',
  Þ: 'TH',
  Ĳ: 'IJ',
  Đ: 'D',
  Ð: 'D',
  Ł: 'L',
  Ħ: 'H',
  Ŋ: 'N',
  Ŧ: 'T',
};

/** The places for both names in the zone of a card, the shortest: names that fill them may be cut. */
const NAMES_OF_CARD = 30;
/** Filler characters between the names. */
const BETWEEN = 2;

/** Spells a text as a machine-readable zone does, with spaces between its words. */
function folded(text: string, letters: Readonly<Record<string, string>>): string {
  const upper = text.normalize('NFC').toUpperCase();
  const spelled = [...upper].map((letter) => letters[letter] ?? PLAIN[letter] ?? letter).join('');
  return spelled
    .normalize('NFKD')
    .replace(/[\p{M}'’.]/gu, '')
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim();
}

/** Returns the ways in which a machine-readable zone may spell a text: `MUELLER` and `MULLER` for Müller. Empty where it shows no letter. */
export function spellings(text: string): readonly string[] {
  return [folded(text, SPELLED), folded(text, PLAIN)];
}

/** Whether a text has a letter or digit that a machine-readable zone can show. */
export function isComparable(text: string): boolean {
  return folded(text, PLAIN) !== '';
}

/**
 * Whether an answer says the same as a read value, as a machine-readable zone spells it.
 * @param otherName the other name that was read: names are cut where both are longer than their places
 */
export function isSameAsRead(field: ReadField, answer: string, read: string, otherName: string = ''): boolean {
  switch (field) {
    case 'lastName':
      return spellings(answer).some((name) => isNameAsRead(name, folded(read, PLAIN), otherName));
    case 'firstName':
      // People write their first name; the zone has all given names.
      return spellings(answer).some(
        (name) =>
          name !== '' &&
          (isNameAsRead(name, folded(read, PLAIN), otherName) || `${folded(read, PLAIN)} `.startsWith(`${name} `)),
      );
    case 'documentNumber':
      return folded(answer, PLAIN).replaceAll(' ', '') === folded(read, PLAIN).replaceAll(' ', '');
    default:
      return answer === read;
  }
}

function isNameAsRead(name: string, read: string, otherName: string): boolean {
  if (name === read) return true;
  const isFull = characterCount(read) + characterCount(otherName) + BETWEEN >= NAMES_OF_CARD;
  return isFull && read !== '' && name.startsWith(read);
}

/** Proposes upper and lower case for a name that was read in capitals: `Anna-Lena` for `ANNA-LENA`. */
export function inProposedCase(name: string): string {
  return name.toLowerCase().replace(/(^|[\s'’-])(\p{L})/gu, (_, before: string, letter: string) => {
    return `${before}${letter.toUpperCase()}`;
  });
}
