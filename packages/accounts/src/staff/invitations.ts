import { randomBytes } from 'node:crypto';
import { type Clock, INVITATION_LIFETIME_MS, type Invitation } from '@countersign/domain';
import type { Transaction } from 'kysely';
import type { AccountsDatabase, StaffDatabase, Tables } from '../database/tables.ts';
import { hashOfToken } from '../sessions/sessions.ts';
import { findUser } from './users.ts';

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
export async function invite(
  db: StaffDatabase | Transaction<Tables>,
  userId: string,
  clock: Clock,
): Promise<NewInvitation> {
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
export async function invitationOf(db: StaffDatabase, token: string, now: Date): Promise<Invitation | null> {
  const row = await db
    .selectFrom('staff_invitations')
    .innerJoin('staff_users', 'id', 'user_id')
    .select(['email', 'name'])
    .where('token_hash', '=', hashOfToken(token))
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  return row ?? null;
}

interface Redemption {
  readonly token: string;
  readonly passwordHash: string;
  readonly newId: string;
  readonly now: Date;
  readonly kind: AccountsDatabase['kind'];
}

/**
 * Uses a link up, sets its user's password and ends the user's sessions, in one transaction. Of several requests at once
 * with one link, one gets true.
 */
export async function redeem(
  db: StaffDatabase,
  { token, passwordHash, newId, now, kind }: Redemption,
): Promise<boolean> {
  const timestamp = now.toISOString();
  return db.transaction().execute(async (transaction) => {
    const invited = await transaction
      .selectFrom('staff_invitations')
      .select('user_id')
      .where('token_hash', '=', hashOfToken(token))
      .executeTakeFirst();
    if (invited === undefined) return false;
    // Locks the user first, in the order of `remove`: the reverse order would deadlock.
    await findUser(transaction, 'id', invited.user_id, { keepOn: kind });
    const used = await transaction
      .deleteFrom('staff_invitations')
      .where('token_hash', '=', hashOfToken(token))
      .where('expires_at', '>', timestamp)
      .returning('user_id')
      .executeTakeFirst();
    if (used === undefined) return false;
    const { user_id } = used;
    await transaction
      .insertInto('staff_accounts')
      .values({
        id: newId,
        user_id,
        // better-auth looks for a password under these two.
        account_id: user_id,
        provider_id: 'credential',
        password: passwordHash,
        created_at: timestamp,
        updated_at: timestamp,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'provider_id'])
          .doUpdateSet({ password: passwordHash, updated_at: timestamp }),
      )
      .execute();
    await transaction.deleteFrom('staff_sessions').where('user_id', '=', user_id).execute();
    // Ends pending sign-ins, which began with the old password.
    await transaction.deleteFrom('staff_verifications').where('value', '=', user_id).execute();
    return true;
  });
}
