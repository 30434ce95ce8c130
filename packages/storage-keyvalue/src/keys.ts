/** One part of a key. Numbers are whole, and between `-Number.MAX_SAFE_INTEGER` and `Number.MAX_SAFE_INTEGER`. */
export type KeyPart = string | number;

/** The most bytes of a key in UTF-8: Durable Objects take 2,048, LMDB 1,978. */
const KEY_BYTES_MAX = 1_900;

/** Ends each part. It comes before every character of a part, so that `a` comes before `ab`. */
const END = '\u0001';

/** Precedes a character that comes before the others of a part. */
const LOW = '\u0002';

/**
 * Precedes the character that stands for one from U+D7FF to U+FFFF: for surrogates without a partner, which UTF-8 does not have, and for those
 * that JavaScript's `<` puts after the characters that follow them.
 */
const HIGH = '\ud7ff';
const HIGH_CODE = 0xd7ff;
const HIGHEST_CODE = 0xffff;

/** Code of the first character that is written unchanged. */
const FIRST_CODE = 3;

const DIGITS = String(Number.MAX_SAFE_INTEGER).length;

/**
 * Joins the name of a table and parts of a key. Keys with the same number of parts are in the order of these: numbers by value, text by
 * Unicode code point.
 */
export function keyOf(table: string, parts: readonly KeyPart[]): string {
  let key = table + END;
  for (const part of parts) key += (typeof part === 'number' ? numberPart(part) : textPart(part)) + END;
  return key;
}

/** Returns the end of the keys that begin with a key. */
export const endOf = (key: string): string => key.slice(0, -END.length) + LOW;

/** Returns the start of the keys after a key that do not begin with it. */
export const startAfter = (key: string): string => key + END;

/** Whether the key can be stored. */
export function isStorable(key: string): boolean {
  // A unit of UTF-16 has at most 3 bytes.
  if (key.length * 3 <= KEY_BYTES_MAX) return true;
  let bytes = key.length;
  for (let index = 0; index < key.length; index += 1) {
    const code = key.charCodeAt(index);
    // A pair of surrogates has 4 bytes.
    bytes += Number(code >= 0x80) + Number(code >= 0x800) - Number(code > HIGH_CODE);
  }
  return bytes <= KEY_BYTES_MAX;
}

function numberPart(part: number): string {
  if (!Number.isSafeInteger(part)) throw new Error(`The number ${part} cannot be in a key`);
  if (part >= 0) return String(part).padStart(DIGITS, '0');
  return `-${String(part + Number.MAX_SAFE_INTEGER).padStart(DIGITS, '0')}`;
}

function textPart(part: string): string {
  for (let index = 0; index < part.length; index += 1) {
    const code = part.charCodeAt(index);
    if (code < FIRST_CODE || code >= HIGH_CODE) return escaped(part);
  }
  return part;
}

/** Escapes characters that a key cannot contain, and keeps their order. */
function escaped(part: string): string {
  let text = '';
  for (const character of part) {
    const code = character.codePointAt(0) ?? 0;
    if (code < FIRST_CODE) text += LOW + String.fromCharCode(FIRST_CODE + code);
    else if (code < HIGH_CODE || code > HIGHEST_CODE) text += character;
    else text += HIGH + String.fromCharCode(FIRST_CODE + code - HIGH_CODE);
  }
  return text;
}
