import { CONFIRMED_MS } from '@countersign/domain';
import type { CookieJar } from './cookies.ts';
import { hashOfToken } from './token-hash.ts';

/**
 * A confirmed identity belongs to the browser in which the password was given, and not to all that hold its session: a
 * cookie of its own says so. Whoever stole the session before would otherwise be confirmed by its owner.
 */
export interface Confirmations {
  /** The moment of the session's last confirmation, where the browser was given its cookie then; else null. */
  heldBy(cookies: string | undefined, token: string, confirmedAt: Date | null): Date | null;
  /** The `Set-Cookie` of a confirmation. Those of earlier ones count no more. */
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

/** Nobody makes it but whoever has the secrets: it counts with their signature only. */
function valueFor(token: string, confirmedAt: Date): string {
  return `${hashOfToken(token)}.${confirmedAt.getTime()}`;
}
