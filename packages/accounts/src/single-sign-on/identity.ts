import type { VerifiedIdentity } from '@countersign/domain/staff';

/** Claims of an ID token and of the user info, as providers send them. */
export type Claims = Readonly<Record<string, unknown>>;

/** Reads the identity of a verified ID token. Claims of another type than the standard's count as missing. */
export function identityOf(issuer: string, subject: string, claims: Claims): VerifiedIdentity {
  return {
    issuer,
    subject,
    email: textOf(claims.email),
    // Some providers send the text.
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: textOf(claims.name) ?? textOf(claims.preferred_username),
    acr: textOf(claims.acr),
    amr: Array.isArray(claims.amr) ? claims.amr.filter((method) => typeof method === 'string') : [],
    claims,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
