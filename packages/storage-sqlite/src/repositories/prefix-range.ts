const LAST_POINT = 0x10_ff_ff;
const [BEFORE_SURROGATES, AFTER_SURROGATES] = [0xd7_ff, 0xe0_00];

/** Larger than every text: SQLite puts all blobs behind all texts (https://sqlite.org/datatype3.html, section 4.1). */
const BEHIND_ALL_TEXT = new Uint8Array();

/**
 * What texts that begin with the prefix lie between, the end left out. SQLite compares text by the bytes of its UTF-8,
 * which is the order of code points.
 * @param prefix well-formed
 */
export function rangeOfPrefix(prefix: string): { readonly from: string; readonly until: string | Uint8Array } {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? LAST_POINT);
  while (points.at(-1) === LAST_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return { from: prefix, until: BEHIND_ALL_TEXT };
  const next = last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1;
  return { from: prefix, until: String.fromCodePoint(...points, next) };
}
