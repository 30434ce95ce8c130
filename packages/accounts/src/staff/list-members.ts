import { isStorableText, type ListedUser } from '@countersign/domain';
import type { StaffDatabase } from '../database/tables.ts';
import { userOf } from './user-row.ts';

/** Everybody, or the staff of one client, with what lists tell of them; who has been there longest first. */
export async function listUsers(
  db: StaffDatabase,
  now: Date,
  of?: { readonly clientId: string },
): Promise<readonly ListedUser[]> {
  if (of !== undefined && !isStorableText(of.clientId)) return [];
  let query = db
    .selectFrom('staff_users')
    .leftJoin('staff_accounts', 'staff_accounts.user_id', 'staff_users.id')
    .leftJoin('staff_invitations', (join) =>
      join
        .onRef('staff_invitations.user_id', '=', 'staff_users.id')
        .on('staff_invitations.expires_at', '>', now.toISOString()),
    )
    .select(['staff_users.id', 'email', 'name', 'role', 'client_id', 'team_role', 'two_factor_enabled'])
    .select(['staff_users.created_at', 'staff_accounts.user_id as joined'])
    .select('staff_invitations.expires_at as invited_until');
  if (of !== undefined) query = query.where('client_id', '=', of.clientId);
  const rows = await query.orderBy('staff_users.created_at').orderBy('staff_users.id').execute();
  return rows.map((row) => ({
    ...userOf(row),
    createdAt: new Date(row.created_at),
    invitedUntil: row.invited_until === null ? null : new Date(row.invited_until),
    hasJoined: row.joined !== null,
    hasSecondFactor: Boolean(row.two_factor_enabled),
  }));
}
