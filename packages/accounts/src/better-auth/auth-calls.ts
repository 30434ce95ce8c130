import { isAPIError } from 'better-auth/api';
import { isOwnerGone, isTaken } from '../database/refused-rows.ts';
import { type BetterAuthParts, configureBetterAuth } from './configured.ts';

/** What came of a call: refused, or what the browser is to keep. */
export type AuthAnswer =
  | { readonly ok: false }
  | { readonly ok: true; readonly setCookies: readonly string[]; readonly needsSecondFactor: boolean };

/** The calls of better-auth that are made here. `cookie` is a `Cookie` header of what they are to know. */
export interface AuthCalls {
  signIn(email: string, password: string): Promise<AuthAnswer>;
  /** Ends a sign-in that waits for a code (its challenge in `cookie`), or confirms a new device (a session). */
  enterTotp(cookie: string, code: string): Promise<AuthAnswer>;
  enterBackupCode(cookie: string, code: string): Promise<AuthAnswer>;
  beginSecondFactor(
    cookie: string,
    password: string,
  ): Promise<{ uri: string; backupCodes: readonly string[] } | null>;
  /** Whose sign-in waits for a code. */
  challengedUser(challenge: string): Promise<string | null>;
}

export function createAuthCalls(parts: BetterAuthParts): AuthCalls {
  const auth = configureBetterAuth(parts);

  return {
    signIn: (email, password) =>
      answerOf(auth.api.signInEmail({ body: { email, password }, headers: new Headers(), returnHeaders: true })),
    enterTotp: (cookie, code) =>
      answerOf(auth.api.verifyTOTP({ body: { code }, headers: headersOf(cookie), returnHeaders: true })),
    enterBackupCode: (cookie, code) =>
      answerOf(auth.api.verifyBackupCode({ body: { code }, headers: headersOf(cookie), returnHeaders: true })),

    async beginSecondFactor(cookie, password) {
      const begin = () =>
        auth.api.enableTwoFactor({ body: { password, method: 'totp' }, headers: headersOf(cookie) });
      // Of two at once, each takes itself for the first; the second finds what the other kept, and replaces it.
      const begun = await unlessRefused(
        begin().catch((error: unknown) => (isTaken(error) ? begin() : fail(error))),
      );
      if (begun === null || begun.method !== 'totp') return null;
      return { uri: begun.totpURI, backupCodes: begun.backupCodes };
    },

    async challengedUser(challenge) {
      const { internalAdapter } = await auth.$context;
      const found = await internalAdapter.findVerificationValue(challenge);
      return found === null || found.expiresAt <= new Date() ? null : found.value;
    },
  };
}

function fail(error: unknown): never {
  throw error;
}

function headersOf(cookie: string): Headers {
  return new Headers({ cookie });
}

async function answerOf(call: Promise<{ headers: Headers; response: unknown }>): Promise<AuthAnswer> {
  const answer = await unlessRefused(call);
  if (answer === null) return { ok: false };
  const { headers, response } = answer;
  const needsSecondFactor = typeof response === 'object' && response !== null && 'twoFactorRedirect' in response;
  return { ok: true, setCookies: headers.getSetCookie(), needsSecondFactor };
}

/** better-auth says no by errors with a status of 4xx, and the database where somebody was removed. Else it is a fault. */
async function unlessRefused<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if ((isAPIError(error) && error.statusCode < 500) || isOwnerGone(error)) return null;
    throw error;
  }
}
