import { type Accounts, isConfirmed, type Throttled, type User, type Visitor } from '@countersign/domain/staff';
import type { AccountsParts } from './parts.ts';

/** Confirms a user's identity by the password, before a sensitive action. */
export function createConfirming(parts: AccountsParts): Pick<Accounts, 'confirmPath' | 'confirmIdentity'> {
  const { currentSession, cookies, sessions, confirmations, clock } = parts;
  return {
    confirmPath: '/account/confirm',

    async confirmIdentity(visitor, password) {
      const session = await currentSession(visitor.cookies);
      const token = cookies.read(visitor.cookies, cookies.names.session);
      if (session === null || token === null) return { outcome: 'refused' };
      const checked = await checkOwnPassword(parts, { visitor, user: session.user, password });
      if (checked.outcome === 'throttled') return checked;
      if (checked.outcome === 'right' && isConfirmed(session, clock.now())) {
        return { outcome: 'confirmed', setCookies: [] };
      }
      // A sign-out or a new password may have ended the session.
      const confirmedAt = checked.outcome === 'right' ? await sessions.confirm(token) : null;
      if (confirmedAt === null) return { outcome: 'refused' };
      return { outcome: 'confirmed', setCookies: [confirmations.give(token, confirmedAt)] };
    },
  };
}

/** A password is wrong, or the session has ended. */
const WRONG = { outcome: 'wrong' } as const;

/** Checks the password of a signed-in user. Attempts are counted for the session alone. */
export async function checkOwnPassword(
  {
    attempts,
    cookies,
    database,
    passwords,
  }: Pick<AccountsParts, 'attempts' | 'cookies' | 'database' | 'passwords'>,
  { visitor, user, password }: { visitor: Visitor; user: User; password: string },
): Promise<Throttled | typeof WRONG | { readonly outcome: 'right' }> {
  const token = cookies.read(visitor.cookies, cookies.names.session);
  if (token === null) return WRONG;
  return attempts.inSession(token, 'password', {
    async run() {
      const isRight = await isOwnPassword({ database, passwords }, user.id, password);
      return isRight ? { outcome: 'right' as const } : WRONG;
    },
    isWrong: ({ outcome }) => outcome === 'wrong',
  });
}

/** Compares a password with that of a user. Attempts are not counted here. */
export async function isOwnPassword(
  { database, passwords }: Pick<AccountsParts, 'database' | 'passwords'>,
  userId: string,
  password: string,
): Promise<boolean> {
  const db = await database();
  const account = await db
    .selectFrom('staff_accounts')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  const hash = account?.password ?? null;
  return hash !== null && passwords.verify({ hash, password });
}
