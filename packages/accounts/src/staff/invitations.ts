import { randomBytes } from 'node:crypto';
import { type Clock, INVITATION_LIFETIME_MS, type Invitation } from '@countersign/domain';
import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import type { StaffDatabase, Tables } from '../database/tables.ts';
import { hashOfToken } from '../sessions/token-hash.ts';
import { findUser } from './users.ts';

const TOKEN_BYTES = 32;

export interface NewInvitation {
  readonly invitationPath: string;
  readonly expiresAt: Date;
}

/** Makes a one-time link for somebody, in place of the one they may have. Just the hash of its token is kept. */
export async function invite(
  db: StaffDatabase | Transaction<Tables>,
  userId: string,
  clock: Clock,
): Promise<NewInvitation> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(clock.now().getTime() + INVITATION_LIFETIME_MS);
  const link = { token_hash: hashOfToken(token), expires_at: expiresAt.toISOString() };
  await db
    .insertInto('staff_invitations')
    .values({ user_id: userId, ...link })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
    .execute();
  return { invitationPath: `/account/welcome/${token}`, expiresAt };
}

/** Whom a link is for. Changes nothing: scanners of mail open links too. */
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
 * Uses a link up and sets the password of whom it is for; every session of theirs ends. All of it is kept, or nothing.
 * Of several requests at once with one link, one gets true.
 */
export async function redeem(
  db: StaffDatabase,
  { token, passwordHash, newId, now, kind }: Redemption,
): Promise<boolean> {
  const moment = now.toISOString();
  return db.transaction().execute(async (transaction) => {
    const invited = await transaction
      .selectFrom('staff_invitations')
      .select('user_id')
      .where('token_hash', '=', hashOfToken(token))
      .executeTakeFirst();
    if (invited === undefined) return false;
    // Whom it is for comes before what is theirs, as where they are removed: else each would wait for the other.
    await findUser(transaction, 'id', invited.user_id, { keepOn: kind });
    const used = await transaction
      .deleteFrom('staff_invitations')
      .where('token_hash', '=', hashOfToken(token))
      .where('expires_at', '>', moment)
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
        created_at: moment,
        updated_at: moment,
      })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'provider_id']).doUpdateSet({ password: passwordHash, updated_at: moment }),
      )
      .execute();
    await transaction.deleteFrom('staff_sessions').where('user_id', '=', user_id).execute();
    // A sign-in that waits for its second factor was begun with the old password.
    await transaction.deleteFrom('staff_verifications').where('value', '=', user_id).execute();
    return true;
  });
}
