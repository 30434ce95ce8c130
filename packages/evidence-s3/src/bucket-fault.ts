import { CountersignError } from '@countersign/domain';

/**
 * Describes a failed call by its code only, so that it is safe to log: messages of the SDK quote host names and keys.
 * @param doing the failed operation: `keep a file of evidence`
 * @returns a CountersignError `SERVICE_UNAVAILABLE`: the same call succeeds once the object storage is right again
 */
export function bucketFault(doing: string, error: unknown): CountersignError {
  const code = bucketCodeOf(error);
  const fault = new Error(`The object storage could not ${doing} (${code}).`);
  return new CountersignError('SERVICE_UNAVAILABLE', fault.message, { cause: Object.assign(fault, { code }) });
}

/** Returns the code of the object storage (`NoSuchBucket`), of the system (`ECONNREFUSED`) or of the SDK (`TimeoutError`). */
export function bucketCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // The SDK has no code for it.
  if (/^Region (?:is missing|not accepted)/.test(error.message)) return 'NO_REGION';
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  // Node reports attempts at several addresses of a host together.
  if (error instanceof AggregateError) return bucketCodeOf(error.errors[0]);
  return /^\w{1,60}$/.test(error.name) ? error.name : 'unknown';
}

/** Returns whether a call failed with one of the codes. */
export function isBucketCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(bucketCodeOf(error));
}
