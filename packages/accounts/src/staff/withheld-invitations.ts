import { type Clock, isStorableText } from '@countersign/domain';
import { type ListedUser, type TeamRole, type User, userFromStored } from '@countersign/domain/staff';
import type { Transaction } from 'kysely';
import type { StaffDatabase, Tables } from '../database/tables.ts';
import { hashOfToken } from '../database/token-hash.ts';
import { type NewInvitation, newInvitation } from './invitations.ts';

// Invitations of addresses that have a user elsewhere. A team must not find out, so they look like invitations of users who never join.

const COLUMNS = ['id', 'client_id', 'email', 'name', 'team_role'] as const;

type Row = Pick<Tables['staff_withheld_invitations'], (typeof COLUMNS)[number]>;

function userOf({ client_id: clientId, team_role: teamRole, ...row }: Row): User {
  return userFromStored({ ...row, role: 'client', clientId, teamRole });
}

/** Finds the withheld invitation of a team to an address. */
export async function findWithheld(
  db: StaffDatabase,
  { clientId, email }: Pick<User, 'clientId' | 'email'>,
): Promise<User | null> {
  if (clientId === null) return null;
  const row = await db
    .selectFrom('staff_withheld_invitations')
    .select(COLUMNS)
    .where('client_id', '=', clientId)
    .where('email', '=', email)
    .executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

/**
 * Finds the withheld invitation of a team to an address, and writes it as it is: another invitation of a user who has not joined writes,
 * too, so that the time of the commit does not tell them apart.
 */
export async function touchWithheld(
  transaction: Transaction<Tables>,
  { clientId, email }: Pick<User, 'clientId' | 'email'>,
): Promise<User | null> {
  if (clientId === null) return null;
  const row = await transaction
    .updateTable('staff_withheld_invitations')
    .set({ email })
    .where('client_id', '=', clientId)
    .where('email', '=', email)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

/** Stores a withheld invitation. False, without a change, if the team has one to the address. */
export async function withhold(
  transaction: Transaction<Tables>,
  { id, clientId, email, name, teamRole }: User,
  { token, expiresAt }: NewInvitation & { readonly token: string },
  now: string,
): Promise<boolean> {
  if (clientId === null || teamRole === null) return false;
  const row = await transaction
    .insertInto('staff_withheld_invitations')
    .values({
      id,
      client_id: clientId,
      email,
      name,
      team_role: teamRole,
      token_hash: hashOfToken(token),
      expires_at: expiresAt.toISOString(),
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['client_id', 'email']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the withheld invitation of a new user's team to their address. */
export async function endWithheld(
  transaction: Transaction<Tables>,
  { clientId, email }: Pick<User, 'clientId' | 'email'>,
): Promise<void> {
  if (clientId === null) return;
  await transaction
    .deleteFrom('staff_withheld_invitations')
    .where('client_id', '=', clientId)
    .where('email', '=', email)
    .execute();
}

/** Lists the withheld invitations of a team. */
export async function listWithheld(
  db: StaffDatabase,
  now: Date,
  clientId: string,
): Promise<readonly ListedUser[]> {
  if (!isStorableText(clientId)) return [];
  const rows = await db
    .selectFrom('staff_withheld_invitations')
    .select([...COLUMNS, 'expires_at', 'created_at'])
    .where('client_id', '=', clientId)
    .execute();
  return rows.map(({ expires_at, created_at, ...row }) => {
    const invitedUntil = expires_at === null ? null : new Date(expires_at);
    return {
      ...userOf(row),
      createdAt: new Date(created_at),
      invitedUntil: invitedUntil !== null && invitedUntil > now ? invitedUntil : null,
      hasJoined: false,
      hasSecondFactor: false,
    };
  });
}

/** Returns the user of a withheld invitation's link. */
export async function withheldOf(db: StaffDatabase, token: string, now: Date): Promise<User | null> {
  const row = await db
    .selectFrom('staff_withheld_invitations')
    .select(COLUMNS)
    .where('token_hash', '=', hashOfToken(token))
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

/** Makes a new link. Null if there is no such invitation. */
export async function renewWithheld(
  transaction: Transaction<Tables>,
  id: string,
  clock: Clock,
): Promise<({ readonly user: User } & NewInvitation) | null> {
  const { token, ...link } = newInvitation(clock);
  const user = await change(transaction, id, {
    token_hash: hashOfToken(token),
    expires_at: link.expiresAt.toISOString(),
  });
  return user === null ? null : { user, ...link };
}

/** Changes the role that the invitation gives. Null if there is no such invitation. */
export function changeWithheldRole(
  transaction: Transaction<Tables>,
  id: string,
  teamRole: TeamRole,
): Promise<User | null> {
  return change(transaction, id, { team_role: teamRole });
}

async function change(
  transaction: Transaction<Tables>,
  id: string,
  changed: { readonly token_hash: string; readonly expires_at: string } | { readonly team_role: TeamRole },
): Promise<User | null> {
  if (!isStorableText(id)) return null;
  const row = await transaction
    .updateTable('staff_withheld_invitations')
    .set(changed)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

/** Deletes a withheld invitation. Null if there is none with this id. */
export async function removeWithheld(transaction: Transaction<Tables>, id: string): Promise<User | null> {
  if (!isStorableText(id)) return null;
  const row = await transaction
    .deleteFrom('staff_withheld_invitations')
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row === undefined ? null : userOf(row);
}
