import { randomBytes } from 'node:crypto';
import { isAPIError } from 'better-auth/api';
import { isTaken, isUserGone } from '../errors.ts';
import { type BetterAuthParts, configureBetterAuth } from './configured.ts';

/** The result of a call: refused, or the cookies for the browser. */
export type AuthAnswer =
  | { readonly ok: false }
  | { readonly ok: true; readonly setCookies: readonly string[]; readonly needsSecondFactor: boolean };

/** The calls of better-auth in use. `cookie` is a `Cookie` header. */
export interface AuthCalls {
  signIn(email: string, password: string): Promise<AuthAnswer>;
  /** Completes a pending sign-in (challenge in `cookie`) or confirms a new device (session in `cookie`). */
  enterTotp(cookie: string, code: string): Promise<AuthAnswer>;
  enterBackupCode(cookie: string, code: string): Promise<AuthAnswer>;
  beginSecondFactor(
    cookie: string,
    password: string | undefined,
  ): Promise<{ uri: string; backupCodes: readonly string[] } | null>;
  /** Begins a sign-in that waits for a code, without a password. Returns the value and the life of the challenge's cookie. */
  challenge(userId: string): Promise<{ readonly value: string; readonly seconds: number }>;
  /** Returns the id of the user whose sign-in waits for a code. */
  challengedUser(challenge: string): Promise<string | null>;
  /** Ends a sign-in that waits for a code. Of several calls at once, one gets true. */
  endChallenge(challenge: string): Promise<boolean>;
}

/** As long as the challenge of a password. */
const CHALLENGE_SECONDS = 600;
const CHALLENGE_BYTES = 20;

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
        auth.api.enableTwoFactor({
          body: { ...(password !== undefined && { password }), method: 'totp' },
          headers: headersOf(cookie),
        });
      // Two calls at once both insert; the one that fails then replaces the other's row.
      const begun = await unlessRefused(
        begin().catch((error: unknown) => (isTaken(error) ? begin() : fail(error))),
      );
      if (begun === null || begun.method !== 'totp') return null;
      return { uri: begun.totpURI, backupCodes: begun.backupCodes };
    },

    async challenge(userId) {
      const { internalAdapter } = await auth.$context;
      const value = `2fa-${randomBytes(CHALLENGE_BYTES).toString('base64url')}`;
      const expiresAt = new Date(Date.now() + CHALLENGE_SECONDS * 1_000);
      await internalAdapter.createVerificationValue({ value: userId, identifier: value, expiresAt });
      // The two records that better-auth makes when a password was right.
      await internalAdapter.createVerificationValue({
        value: '0',
        identifier: `2fa-attempts-${value}`,
        expiresAt,
      });
      return { value, seconds: CHALLENGE_SECONDS };
    },

    async challengedUser(challenge) {
      const { internalAdapter } = await auth.$context;
      const found = await internalAdapter.findVerificationValue(challenge);
      return found === null || found.expiresAt <= new Date() ? null : found.value;
    },

    async endChallenge(challenge) {
      const { internalAdapter } = await auth.$context;
      return (await internalAdapter.consumeVerificationValue(challenge)) !== null;
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

/**
 * Returns null for a refusal: a 4xx error of better-auth, or a foreign key of a removed user. Other errors are faults.
 */
async function unlessRefused<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if ((isAPIError(error) && error.statusCode < 500) || isUserGone(error)) return null;
    throw error;
  }
}
