import { CONFIRMED_MS } from '@countersign/domain';
import type { CookieJar } from './cookies.ts';
import { hashOfToken } from './session-token.ts';

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

/** Counts only with a signature of the secrets. */
function valueFor(token: string, confirmedAt: Date): string {
  return `${hashOfToken(token)}.${confirmedAt.getTime()}`;
}
