import { isCountersignError } from '@countersign/domain';

/** Codes of errors: of the domain (`LIMIT_EXCEEDED`), the system (`ECONNREFUSED`) and databases (`SQLITE_FULL`, `57014`). */
const CODE = /^[A-Z0-9_]{2,64}$/;

/**
 * Returns the value of the attribute `error.type`: the code of an error. Never its message, which can quote personal data.
 * An error without a code is `_OTHER`, as the semantic conventions call it.
 */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { code } = error as Error & { readonly code?: unknown };
  return typeof code === 'string' && CODE.test(code) ? code : '_OTHER';
}

/** Returns whether an error is an expected refusal, not a fault of the service. */
export function isRefusal(error: unknown): boolean {
  return isCountersignError(error) && error.code !== 'SERVICE_UNAVAILABLE';
}
