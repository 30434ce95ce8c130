/** Crockford's base32 (https://www.crockford.com/base32.html): without I, L, O and U, which are easily misread. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;
const ARE_DIGITS = new RegExp(`^[${DIGITS}]{${LENGTH}}$`);
const BITS_OF_DIGIT = 5n;

/**
 * The digits of a UUID that its reference has: the third to the ninth, and the last three. In version 7 (RFC 9562) these are the
 * time in units of 4 seconds, and random bits. Two ids share a reference only if both are equal.
 */
const UUID = /^[0-9a-f]{2}([0-9a-f]{6})-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{9}([0-9a-f]{3})$/;

/** Verifications that a search by reference shows. Few have the same reference, so there are no further pages. */
export const REFERENCED_MAX = 100;

/** Number of values of the first two digits, which a reference leaves out: the time would repeat after 35 years. */
const FIRST_BYTES = 256;

const MODULUS = 1n << (BigInt(LENGTH) * BITS_OF_DIGIT);

/**
 * Ids are multiplied by this number (Fibonacci hashing, Knuth, The Art of Computer Programming, 6.4), so that references of
 * neighbouring ids differ in most characters. It is odd, so the product can be divided again.
 */
const FACTOR = 0x9e3779b97fn;
const INVERSE = 0x4c19bc067fn;

/**
 * Returns the short reference of a verification, for people: `7K3F-92QD`. It is derived from the id alone. Several verifications can have
 * the same one: it helps to find them and grants nothing. An id that is not a UUID in lower case is returned as it is.
 *
 * @example
 * import { shortReference } from '@countersign/domain';
 *
 * shortReference('01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602'); // '3JKZ-G77Y'
 */
export function shortReference(id: string): string {
  const parts = UUID.exec(id);
  if (parts === null) return id;
  const mixed = (BigInt(`0x${parts.slice(1).join('')}`) * FACTOR) % MODULUS;
  // Has 40 bits, so it is exact as a number, whose digits cost less.
  let left = Number(mixed);
  let digits = '';
  for (let index = 0; index < LENGTH; index += 1) {
    digits = `${DIGITS[left % DIGITS.length]}${digits}`;
    left = Math.floor(left / DIGITS.length);
  }
  return inGroups(digits);
}

/**
 * Reads a short reference as people write it: case, spaces and dashes do not matter, O is 0, I and L are 1. Returns it as
 * `shortReference` writes it, or null for any other text.
 */
export function readShortReference(text: string): string | null {
  const digits = text
    .replace(/[\s\p{Dash_Punctuation}]/gu, '')
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return ARE_DIGITS.test(digits) ? inGroups(digits) : null;
}

/** Where the ids with a short reference are. */
export interface ReferencedIds {
  /** Ranges of ids, ends included, in ascending order. All together, they hold few ids. */
  readonly ranges: readonly { readonly first: string; readonly last: string }[];
  /** The last characters of the ids. */
  readonly ending: string;
}

/**
 * Returns where the ids with a short reference are, so that a database finds them by its index of ids.
 * @param reference as `shortReference` writes it; no other text is found anywhere
 */
export function idsOfReference(reference: string): ReferencedIds {
  const digits = reference.replace('-', '');
  if (!ARE_DIGITS.test(digits) || inGroups(digits) !== reference) return { ranges: [], ending: '' };
  const mixed = [...digits].reduce((sum, digit) => (sum << BITS_OF_DIGIT) + BigInt(DIGITS.indexOf(digit)), 0n);
  const hex = ((mixed * INVERSE) % MODULUS).toString(16).padStart(10, '0');
  const ranges = Array.from({ length: FIRST_BYTES }, (_, byte) => {
    const prefix = `${byte.toString(16).padStart(2, '0')}${hex.slice(0, 6)}-${hex.slice(6, 7)}`;
    return { first: `${prefix}000-0000-0000-000000000000`, last: `${prefix}fff-ffff-ffff-ffffffffffff` };
  });
  return { ranges, ending: hex.slice(7) };
}

/** Writes the digits as two groups. */
function inGroups(digits: string): string {
  return `${digits.slice(0, LENGTH / 2)}-${digits.slice(LENGTH / 2)}`;
}
