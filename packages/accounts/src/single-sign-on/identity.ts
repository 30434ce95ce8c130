import type { VerifiedIdentity } from '@countersign/domain/staff';

/** Claims of an ID token and of the user info, as providers send them. */
export type Claims = Readonly<Record<string, unknown>>;

/** Reads the identity of a verified ID token. Claims of another type than the standard's count as missing. */
export function identityOf(issuer: string, subject: string, claims: Claims): VerifiedIdentity {
  return {
    issuer,
    subject,
    email: textOf(claims.email),
    // Some providers send the text 'true'.
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: textOf(claims.name) ?? textOf(claims.preferred_username),
    acr: textOf(claims.acr),
    amr: Array.isArray(claims.amr) ? claims.amr.filter((method) => typeof method === 'string') : [],
    claims,
  };
}

/** Claims about this sign-in, not about the user. User info does not have them (OpenID Connect Core, section 5.3.2). */
const SIGN_IN_CLAIMS = ['acr', 'amr', 'auth_time'];

/**
 * Adds the claims of the user info to those of the ID token, which win. Claims about the sign-in come from the ID token alone, and
 * `email_verified` from the source of `email`.
 */
export function mergedClaims(idToken: Claims, userInfo: Claims): Claims {
  const { email_verified } = Object.hasOwn(idToken, 'email') ? idToken : userInfo;
  const ofSignIn = Object.fromEntries(SIGN_IN_CLAIMS.map((claim) => [claim, idToken[claim]]));
  return { ...userInfo, ...idToken, ...ofSignIn, email_verified };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
