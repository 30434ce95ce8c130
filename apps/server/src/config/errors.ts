/**
 * An invalid or missing setting. The message is one line: the variable, what is wrong with it, and what is expected.
 */
export class SettingError extends Error {
  override readonly name = 'SettingError';

  constructor(variable: string, problem: string, options?: ErrorOptions) {
    super(`${variable} ${problem}`, options);
  }
}

/** Returns whether an error comes from the operating system (`ENOENT`, `EADDRINUSE`, …), with one of the codes if any. */
export function isSystemError(
  error: unknown,
  ...codes: string[]
): error is NodeJS.ErrnoException & { code: string } {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return false;
  return typeof error.code === 'string' && (codes.length === 0 || codes.includes(error.code));
}

/** Why a place cannot be written, by the code of a system error. */
export const WRITE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a file is in its place',
  EEXIST: 'a file is in its place',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};
