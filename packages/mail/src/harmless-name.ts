/** Characters of the subject that a name may take. */
const SUBJECT_NAME_MAX = 60;

/**
 * Control characters, line and paragraph separators, and characters that change the direction of text (Unicode Technical Report 36,
 * section 3): with them, a name could write other lines of a mail or reverse its text.
 */
const DANGEROUS = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** Invisible, allows no line break, and is part of no address. */
const WORD_JOINER = '\u2060';

/** Returns a name on one line, without control characters. */
function onOneLine(name: string): string {
  return name.replaceAll(DANGEROUS, ' ').replaceAll(/\s+/g, ' ').trim();
}

/** Returns a name for the subject of a mail: on one line, and shortened. */
export function nameInSubject(name: string): string {
  const characters = [...onOneLine(name)];
  if (characters.length <= SUBJECT_NAME_MAX) return characters.join('');
  return `${characters.slice(0, SUBJECT_NAME_MAX - 1).join('')}…`;
}

/**
 * Returns a name for the text of a mail. Mail programs turn what looks like an address into a link; a name such as `https://example.org`
 * looks the same here, but is none.
 */
export function nameInText(name: string): string {
  return onOneLine(name).replaceAll(/[.:/@](?=\S)/g, `$&${WORD_JOINER}`);
}
