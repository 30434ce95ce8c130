/**
 * Parses a row that leaves a database.
 *
 * @param what the kind of row, such as `verification`
 * @throws Error that names the row and what `parse` threw, such as the column; never the value, which may be personal data. The
 * message of `JSON.parse` quotes the value, so it is left out
 */
export function parseRow<T>(what: string, id: unknown, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw corruptRow(`${what} ${String(id)}`, cause);
  }
}

function corruptRow(row: string, cause: unknown): Error {
  // `JSON.parse` quotes the text, so its fault is not passed on as the cause either.
  if (cause instanceof SyntaxError) return new Error(`The stored ${row} is corrupt: it is not JSON`);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`The stored ${row} is corrupt: ${reason}`, { cause });
}

/** Parses a column with a fixed set of values. @throws Error that names the column, for any other value */
export function parseEnum<T extends string>(column: string, values: readonly T[], value: unknown): T {
  if (!(values as readonly unknown[]).includes(value)) throw new Error(`unknown ${column}`);
  return value as T;
}

/** As `parseEnum`, for a column that may be null. */
export function parseEnumOrNull<T extends string>(column: string, values: readonly T[], value: unknown): T | null {
  return value === null ? null : parseEnum(column, values, value);
}

const LAST_POINT = 0x10ffff;
const BEFORE_SURROGATES = 0xd7ff;
const AFTER_SURROGATES = 0xe000;

/**
 * Returns the first text, in the order of code points, after all texts with this prefix; null if there is none. The
 * prefix and this text are the bounds of an index range in which no character is a wildcard.
 *
 * @param prefix well-formed
 */
export function firstTextAfter(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? LAST_POINT);
  const last = points.findLastIndex((point) => point !== LAST_POINT);
  const point = points[last];
  if (point === undefined) return null;
  const next = point === BEFORE_SURROGATES ? AFTER_SURROGATES : point + 1;
  return String.fromCodePoint(...points.slice(0, last), next);
}
