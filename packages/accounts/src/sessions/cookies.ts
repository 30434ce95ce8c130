import { createHmac, timingSafeEqual } from 'node:crypto';
import { CONFIRMED_MS } from '@countersign/domain/staff';
import { hashOfToken } from '../database/token-hash.ts';
import type { VersionedSecret } from './secrets.ts';

const PREFIX = 'countersign';

/**
 * The cookies of accounts, named and signed as better-auth did in 0.4 and earlier: `value.base64(HMAC-SHA256(secret, value))`, encoded. The signatures
 * of `signOn` and `passkey` cover the name, too: no other cookie's value is valid there.
 */
export interface CookieJar {
  readonly names: {
    readonly session: string;
    readonly challenge: string;
    readonly confirmation: string;
    readonly device: string;
    /** A sign-in that an identity provider has to answer. */
    readonly signOn: string;
    /** A challenge that a passkey has to answer. */
    readonly passkey: string;
  };
  /** Returns the value of a cookie that one of the secrets signed; null for any other. */
  read(cookies: string | undefined, name: string): string | null;
  /** Returns a `Set-Cookie` that keeps a value for a number of seconds, signed by the newest secret. */
  keep(name: string, value: string, seconds: number): string;
  /** Returns a `Set-Cookie` that removes the cookie. */
  removal(name: string): string;
}

/** Newest first. */
type Secrets = readonly [VersionedSecret, ...VersionedSecret[]];

/** @param publicBaseUrl determines the path of the cookies, and whether they are `Secure` */
export function createCookieJar(publicBaseUrl: string, secrets: Secrets): CookieJar {
  const { protocol, pathname } = new URL(publicBaseUrl);
  const secure = protocol === 'https:';
  const path = pathname.replace(/\/+$/, '') || '/';
  const attributes = `Path=${path}; HttpOnly;${secure ? ' Secure;' : ''} SameSite=Lax`;
  const nameOf = (name: string): string => `${secure ? '__Secure-' : ''}${PREFIX}.${name}`;

  const bound = new Set([nameOf('sign_on'), nameOf('passkey')]);
  const signedText = (name: string, value: string): string => (bound.has(name) ? `${name}=${value}` : value);

  function read(cookies: string | undefined, name: string): string | null {
    for (const text of valuesOf(cookies, name)) {
      const end = text.lastIndexOf('.');
      const [value, signature] = [text.slice(0, end), Buffer.from(text.slice(end + 1), 'base64')];
      if (end > 0 && secrets.some(({ value: secret }) => isSame(signature, sign(secret, signedText(name, value)))))
        return value;
    }
    return null;
  }

  function signed(name: string, value: string): string {
    const signature = sign(secrets[0].value, signedText(name, value)).toString('base64');
    return `${name}=${encodeURIComponent(`${value}.${signature}`)}`;
  }

  return {
    names: {
      session: nameOf('session_token'),
      challenge: nameOf('two_factor'),
      confirmation: nameOf('confirmation'),
      device: nameOf('device'),
      signOn: nameOf('sign_on'),
      passkey: nameOf('passkey'),
    },
    read,
    keep: (name, value, seconds) => `${signed(name, value)}; Max-Age=${seconds}; ${attributes}`,
    removal: (name) => `${name}=; Max-Age=0; ${attributes}`,
  };
}

/** Returns all values of a name: a browser sends several if they were set for several paths. */
function valuesOf(cookies: string | undefined, name: string): string[] {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.filter((pair) => pair.startsWith(`${name}=`));
  return found.map((pair) => decoded(pair.slice(name.length + 1)));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Only a URIError is possible: this service did not make the value.
    return '';
  }
}

function sign(secret: string, value: string): Buffer {
  return createHmac('sha256', secret).update(value).digest();
}

export function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Binds a confirmed identity to the browser in which the password was entered, by a separate cookie. Without it, the
 * user's confirmation would also cover a stolen copy of the session.
 */
export interface Confirmations {
  /** Returns the time of the session's last confirmation if the browser holds its cookie; else null. */
  heldBy(cookies: string | undefined, token: string, confirmedAt: Date | null): Date | null;
  /** Returns the `Set-Cookie` of a confirmation. Earlier cookies become invalid. */
  give(token: string, confirmedAt: Date): string;
}

export function createConfirmations(cookies: CookieJar): Confirmations {
  const { confirmation: name } = cookies.names;
  return {
    heldBy(header, token, confirmedAt) {
      if (confirmedAt === null) return null;
      return cookies.read(header, name) === valueFor(token, confirmedAt) ? confirmedAt : null;
    },
    give: (token, confirmedAt) => cookies.keep(name, valueFor(token, confirmedAt), CONFIRMED_MS / 1_000),
  };
}

/** Only a value that one of the secrets signed is valid. */
function valueFor(token: string, confirmedAt: Date): string {
  return `${hashOfToken(token)}.${confirmedAt.getTime()}`;
}
