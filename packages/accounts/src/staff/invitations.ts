import { randomBytes } from 'node:crypto';
import type { Clock } from '@countersign/domain';
import { INVITATION_LIFETIME_MS, type User } from '@countersign/domain/staff';
import type { Transaction } from 'kysely';
import type { AccountsDatabase, StaffDatabase, Tables } from '../database/tables.ts';
import { hashOfToken } from '../database/token-hash.ts';
import { deleteSecondFactor } from './delete-second-factor.ts';
import { passwordOf, secondFactorOf } from './recipients.ts';
import { findUser, USER_COLUMNS, userOf } from './users.ts';

const TOKEN_BYTES = 32;

export interface NewInvitation {
  readonly invitationPath: string;
  readonly expiresAt: Date;
}

/** Makes a token and the link with it, which works once the token's hash is stored. */
export function newInvitation(clock: Clock): NewInvitation & { readonly token: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(clock.now().getTime() + INVITATION_LIFETIME_MS);
  return { token, invitationPath: `/account/welcome/${token}`, expiresAt };
}

/** Creates a one-time link that replaces an earlier one. Only the hash of its token is stored. */
export async function invite(db: StaffDatabase, userId: string, clock: Clock): Promise<NewInvitation> {
  const { token, ...invitation } = newInvitation(clock);
  const link = { token_hash: hashOfToken(token), expires_at: invitation.expiresAt.toISOString() };
  await db
    .insertInto('staff_invitations')
    .values({ user_id: userId, ...link })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
    .execute();
  return invitation;
}

/** Returns the user of a link. Changes nothing, because mail scanners open links too. */
export async function invitationOf(db: StaffDatabase, token: string, now: Date): Promise<User | null> {
  const row = await db
    .selectFrom('staff_invitations')
    .innerJoin('staff_users', 'id', 'user_id')
    .select(USER_COLUMNS)
    .where('token_hash', '=', hashOfToken(token))
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

/** A new password and the time. */
interface NewPassword {
  readonly passwordHash: string;
  readonly newId: string;
  readonly now: Date;
  readonly kind: AccountsDatabase['kind'];
}

/**
 * Uses a link up, sets its user's password, and ends the user's sessions and passkeys, in one transaction. Of several
 * requests at once with one link, one gets true.
 */
export async function redeem(
  db: StaffDatabase,
  { token, ...set }: NewPassword & { readonly token: string },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const invited = await transaction
      .selectFrom('staff_invitations')
      .select('user_id')
      .where('token_hash', '=', hashOfToken(token))
      .executeTakeFirst();
    if (invited === undefined) return false;
    // Locks the user first, in the order of `remove`: the reverse order would deadlock.
    await findUser(transaction, 'id', invited.user_id, { keepOn: set.kind });
    const userId = await useInvitation(transaction, token, set.now);
    if (userId === null) return false;
    await setPassword(transaction, userId, set);
    return true;
  });
}

/** Uses a link up. Returns the id of its user; null if it no longer works. */
export async function useInvitation(
  transaction: Transaction<Tables>,
  token: string,
  now: Date,
): Promise<string | null> {
  const used = await transaction
    .deleteFrom('staff_invitations')
    .where('token_hash', '=', hashOfToken(token))
    .where('expires_at', '>', now.toISOString())
    .returning('user_id')
    .executeTakeFirst();
  return used?.user_id ?? null;
}

/**
 * Sets the password of a user whose current one has the mark (null: none), and ends the user's sessions, passkeys and one-time
 * links, in one transaction. Of several requests at once with one mark, one gets true.
 */
export async function replace(
  db: StaffDatabase,
  { userId, mark, ...set }: NewPassword & { readonly userId: string; readonly mark: string | null },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    if (!(await lockUser(transaction, userId, set.kind))) return false;
    if ((await passwordOf(transaction, userId)).passwordMark !== mark) return false;
    await transaction.deleteFrom('staff_invitations').where('user_id', '=', userId).execute();
    await setPassword(transaction, userId, set);
    return true;
  });
}

/** Removes the second factor with the mark and the passkeys, and ends the user's sessions, in one transaction. False for any other mark. */
export async function removeFactor(
  db: StaffDatabase,
  { userId, mark, kind }: { readonly userId: string; readonly mark: string } & Pick<NewPassword, 'kind'>,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    if (!(await lockUser(transaction, userId, kind))) return false;
    if ((await secondFactorOf(transaction, userId))?.mark !== mark) return false;
    await deleteSecondFactor(transaction, userId);
    await endSessions(transaction, userId);
    return true;
  });
}

/** Lets one transaction at a time change a user. On SQLite, the transaction alone has that effect. False for a removed user. */
export async function lockUser(
  transaction: Transaction<Tables>,
  userId: string,
  kind: AccountsDatabase['kind'],
): Promise<boolean> {
  const row = await transaction
    .selectFrom('staff_users')
    .select('id')
    .where('id', '=', userId)
    .$if(kind === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  return row !== undefined;
}

async function setPassword(
  transaction: Transaction<Tables>,
  userId: string,
  { passwordHash, newId, now }: NewPassword,
): Promise<void> {
  const timestamp = now.toISOString();
  await transaction
    .insertInto('staff_accounts')
    .values({
      id: newId,
      user_id: userId,
      // Servers of 0.4 and earlier look for a password under these two.
      account_id: userId,
      provider_id: 'credential',
      password: passwordHash,
      created_at: timestamp,
      updated_at: timestamp,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'provider_id']).doUpdateSet({ password: passwordHash, updated_at: timestamp }),
    )
    .execute();
  // An intruder may have added one of these.
  await transaction.deleteFrom('staff_passkeys').where('user_id', '=', userId).execute();
  await transaction
    .deleteFrom('staff_identities')
    .where('user_id', '=', userId)
    .where((where) => where('in_session', '=', where.lit(true)))
    .where('withdrawn_at', 'is', null)
    // A password that is allowed for some time replaces no identity.
    .where('user_id', 'not in', (users) =>
      users.selectFrom('staff_users').select('id').where('password_allowed_until', '>', timestamp),
    )
    .execute();
  await endSessions(transaction, userId);
}

/** Ends the sessions of a user, and pending sign-ins, which began with the old password. */
export async function endSessions(transaction: Transaction<Tables>, userId: string): Promise<void> {
  await transaction.deleteFrom('staff_sessions').where('user_id', '=', userId).execute();
  await transaction.deleteFrom('staff_verifications').where('value', '=', userId).execute();
}
