/** A setting that stops the start. The message is one line: which variable, what is wrong, what is expected. */
export class SettingError extends Error {
  override readonly name = 'SettingError';

  constructor(variable: string, problem: string, options?: ErrorOptions) {
    super(`${variable} ${problem}`, options);
  }
}

/** Tells an error of the operating system (`ENOENT`, `EADDRINUSE`, …) from any other; with codes, these alone. */
export function isSystemError(
  error: unknown,
  ...codes: string[]
): error is NodeJS.ErrnoException & { code: string } {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return false;
  return typeof error.code === 'string' && (codes.length === 0 || codes.includes(error.code));
}
