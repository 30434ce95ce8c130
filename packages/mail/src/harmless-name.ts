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

/**
 * Breaks the beginning of encoded words (RFC 2047, section 2): a mail program would decode `=?utf-8?Q?=E2=80=AE?=` to what `onOneLine`
 * removes. The name looks the same. New names cannot have one; names that earlier versions stored can.
 */
function withoutEncodedWords(name: string): string {
  return name.replaceAll('=?', `=${WORD_JOINER}?`);
}

/** Returns a name for the subject of a mail: on one line, shortened, and without anything that a mail program decodes. */
export function nameInSubject(name: string): string {
  const characters = [...onOneLine(name)];
  const shortened =
    characters.length <= SUBJECT_NAME_MAX
      ? characters.join('')
      : `${characters.slice(0, SUBJECT_NAME_MAX - 1).join('')}…`;
  return withoutEncodedWords(shortened);
}

/** Returns a name for the display name of a sender: as in a subject, and without an address. */
export function nameInSender(name: string): string {
  return withoutAddresses(nameInSubject(name));
}

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Returns a name for the text of a mail. One from right to left does not change the direction of the sentence around it. */
export function nameInText(name: string): string {
  const harmless = withoutAddresses(withoutEncodedWords(onOneLine(name)));
  return RIGHT_TO_LEFT.test(harmless) ? `\u2068${harmless}\u2069` : harmless;
}

/**
 * Breaks addresses: mail programs turn what looks like one into a link. A name such as `https://example.org` looks the same here, but is
 * none.
 */
function withoutAddresses(name: string): string {
  return name.replaceAll(/[.:/@](?=\S)/g, `$&${WORD_JOINER}`);
}
