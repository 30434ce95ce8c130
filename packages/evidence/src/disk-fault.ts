/**
 * Describes a fault of the disk with the system's code, but without path or file name, so that it is safe to log.
 * @param doing the failed operation: `keep a file`
 */
export function diskFault(doing: string, cause: unknown): Error {
  const code = codeOf(cause);
  return new Error(`The disk could not ${doing}${code === undefined ? '' : ` (${code})`}.`);
}

/** Returns the code of a system error, such as `ENOENT`; undefined for other values. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
