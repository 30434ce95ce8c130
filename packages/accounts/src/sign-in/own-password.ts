import type { Throttled, User, Visitor } from '@countersign/domain';
import type { AccountsParts } from './parts.ts';

/**
 * Whether a password is that of whoever is signed in. Attempts are counted together with those to sign in: a stolen session
 * brings no further guesses.
 */
export async function checkOwnPassword(
  { attempts, database, passwords }: Pick<AccountsParts, 'attempts' | 'database' | 'passwords'>,
  { visitor, user, password }: { visitor: Visitor; user: User; password: string },
): Promise<Throttled | { readonly outcome: 'right' | 'wrong' }> {
  const throttled = await attempts.withPassword(visitor.clientAddress, user.email);
  if (throttled !== null) return throttled;
  const db = await database();
  const account = await db
    .selectFrom('staff_accounts')
    .select('password')
    .where('user_id', '=', user.id)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  const hash = account?.password ?? null;
  const isRight = hash !== null && (await passwords.verify({ hash, password }));
  return { outcome: isRight ? 'right' : 'wrong' };
}
