/**
 * A fault of the disk, in plain words: the system's code, and neither path nor name, which would end up in a log.
 * @param doing what could not be done: `keep a file`
 */
export function diskFault(doing: string, cause: unknown): Error {
  const code = codeOf(cause);
  return new Error(`The disk could not ${doing}${code === undefined ? '' : ` (${code})`}.`);
}

/** The code of a system error, `ENOENT`; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
