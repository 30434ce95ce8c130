import { randomBytes } from 'node:crypto';
import type { Clock } from '@countersign/domain';
import type { SignOnPurpose } from '@countersign/domain/staff';
import { type CookieJar, isSame } from '../sessions/cookies.ts';

/** How long a user may take at the provider. */
export const REQUEST_SECONDS: number = 10 * 60;
/** Longest path to which a sign-in returns, in characters. */
const RETURN_TO_MAX = 1_500;
const SECRET_BYTES = 32;

/** A sign-in that a provider has to answer. Only the browser that began it holds it, in a signed cookie. */
export interface SignOnRequest {
  readonly providerId: string;
  readonly state: string;
  readonly nonce: string;
  /** The PKCE verifier. */
  readonly verifier: string;
  readonly purpose: SignOnPurpose;
  readonly returnTo: string | null;
  /** In milliseconds since 1970. */
  readonly begunAt: number;
}

/** Keeps sign-ins in the browser, so that anonymous visitors fill no table. */
export interface SignOnRequests {
  /** Makes a request and the `Set-Cookie` that keeps it. It replaces an earlier one of the browser. */
  begin(given: Pick<SignOnRequest, 'providerId' | 'purpose' | 'returnTo'>): {
    readonly request: SignOnRequest;
    readonly setCookie: string;
  };
  /** Returns the browser's request if it has this provider and state, and has not expired; else null. */
  find(cookies: string | undefined, providerId: string, state: string): SignOnRequest | null;
  /** A `Set-Cookie` that ends the request. */
  readonly ended: string;
}

export function createSignOnRequests(cookies: CookieJar, clock: Clock): SignOnRequests {
  const name = cookies.names.signOn;
  const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
  return {
    begin({ returnTo, ...given }) {
      const path = returnTo !== null && returnTo.length <= RETURN_TO_MAX ? returnTo : null;
      const secrets = { state: secret(), nonce: secret(), verifier: secret() };
      const request = { ...given, ...secrets, returnTo: path, begunAt: clock.now().getTime() };
      return { request, setCookie: cookies.keep(name, JSON.stringify(request), REQUEST_SECONDS) };
    },
    find(header, providerId, state) {
      const text = cookies.read(header, name);
      if (text === null) return null;
      const request = requestIn(text);
      if (request === null) return null;
      const age = clock.now().getTime() - request.begunAt;
      const isOpen = age >= 0 && age < REQUEST_SECONDS * 1_000;
      const isOwn = request.providerId === providerId && isSame(Buffer.from(request.state), Buffer.from(state));
      return isOpen && isOwn ? request : null;
    },
    ended: cookies.removal(name),
  };
}

/** Reads a value that this service signed, perhaps in another version. */
function requestIn(text: string): SignOnRequest | null {
  try {
    const stored = JSON.parse(text) as Partial<SignOnRequest> | null;
    return typeof stored?.state === 'string' && typeof stored.begunAt === 'number'
      ? (stored as SignOnRequest)
      : null;
  } catch {
    return null;
  }
}
