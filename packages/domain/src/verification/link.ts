import { CountersignError } from '../errors.ts';
import type { Secrets } from '../runtime.ts';

/** Days from its issue that a link opens, unless `CountersignSettings.linkLifetimeDays` says otherwise. */
export const LINK_LIFETIME_DAYS = 30;

/** The one link by which the subject reaches a verification. A higher version revokes the link before it. */
export interface VerificationLink {
  readonly version: number;
  /** The time from which it no longer opens. An expired link changes no status. */
  readonly expiresAt: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes a link that opens for `lifetimeDays` from now. */
export function issueLink(version: number, now: Date, lifetimeDays: number): VerificationLink {
  return { version, expiresAt: new Date(now.getTime() + lifetimeDays * DAY_MS) };
}

/** What links open: the page of the service, and what their tokens are made for, so that a token opens nothing else. */
export interface LinkKind {
  readonly page: string;
  readonly purpose: string;
}

/** The link of a subject. */
const VERIFICATION_LINK: LinkKind = { page: 'verify', purpose: '' };

/** Writes and reads links. Nothing secret is stored: the token is a keyed hash of id and link version. */
export interface Links {
  /** `{publicBaseUrl}/verify/{id}.{token}` */
  url(id: string, linkVersion: number): string;
  /** Returns the unchecked id in the last part of such an address. @throws CountersignError `LINK_INVALID` */
  idIn(reference: string): string;
  /** Checks that the reference has the token of this link. @throws CountersignError `LINK_INVALID` */
  check(reference: string, id: string, linkVersion: number): void;
}

/** @param publicBaseUrl without a slash at its end */
export function createLinks(
  secrets: Secrets,
  publicBaseUrl: string,
  { page, purpose }: LinkKind = VERIFICATION_LINK,
): Links {
  const signed = (id: string, version: number) => `${purpose}${id}.${version}`;

  return {
    url: (id, version) => `${publicBaseUrl}/${page}/${id}.${secrets.sign(signed(id, version))}`,

    idIn(reference) {
      const dot = reference.indexOf('.');
      if (dot < 1) throw invalidLink();
      return reference.slice(0, dot);
    },

    check(reference, id, linkVersion) {
      const token = reference.slice(id.length + 1);
      const genuine = reference.startsWith(`${id}.`) && secrets.verify(signed(id, linkVersion), token);
      if (!genuine) throw invalidLink();
    },
  };
}

/** Makes the error for unknown, forged and renewed links alike: a guess reveals nothing. */
export function invalidLink(): CountersignError {
  return new CountersignError('LINK_INVALID');
}
