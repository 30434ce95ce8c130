const NUL = '\u0000';

/** Length in bytes once encoded as UTF-8. The domain has no TextEncoder: it compiles without any runtime's types. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Length in characters (Unicode code points), as a person counts them, not in UTF-16 units. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * True when every storage can keep the text as sent: it has no lone surrogate (which UTF-8 cannot carry) and no
 * NUL (which PostgreSQL's text and jsonb refuse).
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes(NUL);
}

/** The last part is the beginning of an encoded word (RFC 2047, section 2). */
const NOT_PLAIN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]|=\?/u;

/**
 * True for one line of text that people are shown: well-formed, without control characters, which move a terminal's
 * cursor, without bidirectional controls, which make text read as other than it is (Unicode TR36), and without encoded
 * words, which mail programs replace by any of these.
 */
export function isPlainLine(text: string): boolean {
  return text.isWellFormed() && !NOT_PLAIN.test(text);
}
