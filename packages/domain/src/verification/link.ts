import { CountersignError } from '../errors.ts';
import type { Secrets } from '../runtime.ts';

/** Days from its issue that a link opens, unless `CountersignSettings.linkLifetimeDays` says otherwise. */
export const LINK_LIFETIME_DAYS = 30;

/** The one link by which the subject reaches a verification. A higher version revokes the link before it. */
export interface VerificationLink {
  readonly version: number;
  /** First moment at which it no longer opens. An expired link changes no status. */
  readonly expiresAt: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A link that lives `lifetimeDays` from now. */
export function issueLink(version: number, now: Date, lifetimeDays: number): VerificationLink {
  return { version, expiresAt: new Date(now.getTime() + lifetimeDays * DAY_MS) };
}

/** Writes and reads `verificationUrl`. Nothing secret is stored: the token is a keyed hash of id and link version. */
export interface Links {
  /** `{publicBaseUrl}/verify/{id}.{token}` */
  url(verificationId: string, linkVersion: number): string;
  /** The id in the last part of such an address, not yet trusted. @throws `LINK_INVALID` */
  idIn(reference: string): string;
  /** @throws `LINK_INVALID` unless the reference holds the token of this very link */
  check(reference: string, verificationId: string, linkVersion: number): void;
}

/** `publicBaseUrl` comes without a slash at its end. */
export function createLinks(secrets: Secrets, publicBaseUrl: string): Links {
  const signed = (verificationId: string, version: number) => `${verificationId}.${version}`;

  return {
    url: (id, version) => `${publicBaseUrl}/verify/${id}.${secrets.sign(signed(id, version))}`,

    idIn(reference) {
      const dot = reference.indexOf('.');
      if (dot < 1) throw invalidLink();
      return reference.slice(0, dot);
    },

    check(reference, verificationId, linkVersion) {
      const token = reference.slice(verificationId.length + 1);
      const genuine =
        reference.startsWith(`${verificationId}.`) && secrets.verify(signed(verificationId, linkVersion), token);
      if (!genuine) throw invalidLink();
    },
  };
}

/** One answer for an unknown, a forged and a renewed link: a guess learns nothing. */
export function invalidLink(): CountersignError {
  return new CountersignError('LINK_INVALID', 'This link is not valid');
}
