import type { Accounts } from '@countersign/domain';
import { checkOwnPassword } from './own-password.ts';
import type { AccountsParts } from './parts.ts';

/** Giving the password again, before something that matters. */
export function createConfirming(parts: AccountsParts): Pick<Accounts, 'confirmPath' | 'confirmIdentity'> {
  const { currentSession, cookies, sessions, confirmations } = parts;
  return {
    confirmPath: '/account/confirm',

    async confirmIdentity(visitor, password) {
      const session = await currentSession(visitor.cookies);
      const token = cookies.read(visitor.cookies, cookies.names.session);
      if (session === null || token === null) return { outcome: 'refused' };
      const checked = await checkOwnPassword(parts, { visitor, user: session.user, password });
      if (checked.outcome === 'throttled') return checked;
      // While the password was looked at, the session may have ended: by a sign-out, or by another password.
      const confirmedAt = checked.outcome === 'right' ? await sessions.confirm(token) : null;
      if (confirmedAt === null) return { outcome: 'refused' };
      return { outcome: 'confirmed', setCookies: [confirmations.give(token, confirmedAt)] };
    },
  };
}
