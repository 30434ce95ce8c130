import {
  type Accounts,
  isConfirmed,
  passwordLengthRefusal,
  type Throttled,
  type User,
  type Visitor,
} from '@countersign/domain/staff';
import type { StaffDatabase } from '../database/tables.ts';
import type { FoundSession } from '../sessions/sessions.ts';
import type { AccountsParts } from './parts.ts';

/** Confirms a user's identity by the password, before a sensitive action. */
export function createConfirming(
  parts: AccountsParts,
): Pick<Accounts, 'confirmPath' | 'confirmIdentity' | 'waysToConfirm'> {
  const { currentSession, cookies, sessions, confirmations, clock } = parts;
  return {
    confirmPath: '/account/confirm',

    async waysToConfirm(visitor) {
      const session = await currentSession(visitor.cookies);
      if (session === null) return { password: false, providers: [] };
      const { id } = session.user;
      return { password: await hasPassword(parts, id), providers: await parts.providersOf(id) };
    },

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

/** As `checkOwnPassword`; a user without a password must have confirmed their identity at a provider instead. */
export async function checkOwnIdentity(
  parts: AccountsParts,
  { visitor, session, password }: { visitor: Visitor; session: FoundSession; password: string },
): ReturnType<typeof checkOwnPassword> {
  const { user } = session;
  if (await hasPassword(parts, user.id)) return checkOwnPassword(parts, { visitor, user, password });
  return isConfirmed(session, parts.clock.now()) ? { outcome: 'right' } : WRONG;
}

export async function hasPassword(
  { database }: Pick<AccountsParts, 'database'>,
  userId: string,
): Promise<boolean> {
  return (await passwordHashOf(await database(), userId)) !== null;
}

async function passwordHashOf(db: StaffDatabase, userId: string): Promise<string | null> {
  const account = await db
    .selectFrom('staff_accounts')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return account?.password ?? null;
}

/**
 * Compares a password with that of a user. Takes as long for null, and for a user without a password, as for a wrong one. Attempts are
 * not counted here.
 */
export async function isOwnPassword(
  { database, passwords }: Pick<AccountsParts, 'database' | 'passwords'>,
  userId: string | null,
  password: string,
): Promise<boolean> {
  if (passwordLengthRefusal(password) === 'too_long') return false;
  const hash = userId === null ? null : await passwordHashOf(await database(), userId);
  if (hash !== null) return passwords.verify({ hash, password });
  await passwords.hash(password);
  return false;
}
