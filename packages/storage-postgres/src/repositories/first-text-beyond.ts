const LAST = 0x10ffff;
const BEFORE_SURROGATES = 0xd7ff;
const AFTER_SURROGATES = 0xe000;

/**
 * The first text, by code point, that comes after all that begin with this one; null where there is none. Together they
 * are a range, in which no character means anything but itself.
 */
export function firstTextBeyond(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  const last = points.findLastIndex((point) => point !== LAST);
  const point = points[last];
  if (point === undefined) return null;
  const next = point === BEFORE_SURROGATES ? AFTER_SURROGATES : point + 1;
  return String.fromCodePoint(...points.slice(0, last), next);
}
