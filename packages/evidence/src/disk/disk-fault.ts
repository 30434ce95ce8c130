import { CountersignError } from '@countersign/domain';

/**
 * Codes of a disk that is full, fails or is read-only, of too many open files, and of a folder that is gone or closed to the process, such
 * as a lost mount: the same call can succeed later.
 */
const OUTAGES = [
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOENT',
  'ENOTDIR',
  'ESTALE',
  'EACCES',
  'EPERM',
];

/**
 * Describes a fault of the disk with the system's code, but without path or file name, so that it is safe to log.
 * @param doing the failed operation: `keep a file`
 * @returns a CountersignError `SERVICE_UNAVAILABLE` if the same call can succeed later
 */
export function diskFault(doing: string, cause: unknown): Error {
  const code = codeOf(cause);
  const fault = new Error(`The disk could not ${doing}${code === undefined ? '' : ` (${code})`}.`);
  if (code === undefined || !OUTAGES.includes(code)) return fault;
  return new CountersignError('SERVICE_UNAVAILABLE', fault.message, { cause: Object.assign(fault, { code }) });
}

/** Returns the code of a system error, such as `ENOENT`; undefined for other values. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
