import { canonicalJson } from '../input/json.ts';
import type { Secrets } from '../runtime.ts';
import { checkIdempotencyKey, type NewVerification } from './new-verification.ts';
import type { IdempotencyMark } from './verification.ts';

/** The `Idempotency-Key` of a request, with the fingerprint of the request. */
export interface RequestMark extends IdempotencyMark {
  /** Whether a stored fingerprint was made of the same request. */
  isOf(storedFingerprint: string | null): boolean;
}

/** Begins the fingerprint of a request with an e-mail address. Other fingerprints are hexadecimal. */
const KEYED = 'hmac:';

/**
 * Marks a request by its key. The fingerprint is the SHA-256 of the request; that of a request with an e-mail address is an HMAC with
 * a secret of the server instead, over client and key too: addresses cannot be guessed from stored fingerprints, and two
 * requests to one address do not look alike.
 * @throws CountersignError `INVALID_PARAMETERS` for a bad key
 */
export function markOf(clientId: string, key: string, request: NewVerification, secrets: Secrets): RequestMark {
  checkIdempotencyKey(key);
  // A field that is left out is not part of the fingerprint, so that a later version with more fields makes the same one.
  const given = canonicalJson(
    Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)),
  );
  if (request.notify === undefined) {
    const fingerprint = secrets.sha256(given);
    return { key, fingerprint, isOf: (stored) => stored === fingerprint };
  }
  // The line breaks separate the parts: neither id nor key contains one. Links are signed for texts without any.
  const text = `idempotency\n${clientId}\n${key}\n${given}`;
  return {
    key,
    fingerprint: `${KEYED}${secrets.sign(text)}`,
    // Also one that was made before the secrets were rotated.
    isOf: (stored) => stored?.startsWith(KEYED) === true && secrets.verify(text, stored.slice(KEYED.length)),
  };
}
