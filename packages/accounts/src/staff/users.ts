import { isStorableText } from '@countersign/domain';
import {
  type ListedUser,
  type ManageStaff,
  type TeamMember,
  type User,
  type UserQuery,
  userFromStored,
} from '@countersign/domain/staff';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { AccountsDatabase, StaffDatabase, Tables } from '../database/tables.ts';

/** The columns that `userOf` needs. */
export const USER_COLUMNS = ['id', 'email', 'name', 'role', 'client_id', 'team_role'] as const;

type UserRow = Pick<Tables['staff_users'], (typeof USER_COLUMNS)[number]>;

/** Parses a row. @throws Error if the row is damaged; the database's constraints prevent that */
export function userOf({ client_id: clientId, team_role: teamRole, ...row }: UserRow): User {
  return userFromStored({ ...row, clientId, teamRole });
}

/**
 * Finds a user by untrusted text; null if there is none.
 * @param options.keepOn inside a transaction: on this kind of database, no other process can remove the user before the
 *   transaction ends
 */
export async function findUser(
  db: StaffDatabase,
  by: 'id' | 'email',
  value: string,
  options: { readonly keepOn?: AccountsDatabase['kind'] } = {},
): Promise<User | null> {
  if (!isStorableText(value)) return null;
  const row = await db
    .selectFrom('staff_users')
    .select(USER_COLUMNS)
    .where(by, '=', value)
    .$if(options.keepOn === 'postgres', (query) => query.forKeyShare())
    .executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

/** Reads columns of a user by untrusted id; undefined if there is none. */
export async function columnsOf<C extends keyof Tables['staff_users']>(
  db: StaffDatabase,
  userId: string,
  columns: readonly C[],
): Promise<Pick<Selectable<Tables['staff_users']>, C> | undefined> {
  if (!isStorableText(userId)) return undefined;
  const rows = await db.selectFrom('staff_users').select(columns).where('id', '=', userId).execute();
  return rows[0] as Pick<Selectable<Tables['staff_users']>, C> | undefined;
}

/** Lists all users, or those of one client; oldest first. */
export async function listUsers(
  db: StaffDatabase,
  now: Date,
  of?: { readonly clientId: string },
): Promise<readonly ListedUser[]> {
  if (of !== undefined && !isStorableText(of.clientId)) return [];
  let query = listedRows(db, now);
  if (of !== undefined) query = query.where('client_id', '=', of.clientId);
  const rows = await query.orderBy('staff_users.created_at').orderBy('staff_users.id').execute();
  return rows.map(listedUser);
}

/** Reads a page of users in the order of their e-mail addresses, which have an index. */
export async function searchUsers(
  db: StaffDatabase,
  now: Date,
  { emailPrefix, after = '', limit, countUpTo }: UserQuery,
): ReturnType<ManageStaff['search']> {
  if (!isStorableText(emailPrefix) || !isStorableText(after)) return { users: [], totalCount: 0 };
  // Not LIKE, in which some characters have a meaning, and which SQLite compares without case.
  const matching = sql<boolean>`substr(email, 1, length(cast(${emailPrefix} as text))) = cast(${emailPrefix} as text)`;
  const rows = await listedRows(db, now)
    .where(matching)
    .where('email', '>', after)
    .orderBy('email')
    .limit(limit)
    .execute();
  const counted = await db
    .selectFrom((from) =>
      from
        .selectFrom('staff_users')
        .select('id')
        .where(matching)
        .limit(countUpTo + 1)
        .as('matches'),
    )
    .select((each) => each.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return { users: rows.map(listedUser), totalCount: Number(counted.count) };
}

/** How many identities a user has at providers that did not withdraw them. */
const hasIdentity = sql<number | string>`(select count(*) from staff_identities
  where staff_identities.user_id = staff_users.id and withdrawn_at is null)`;

function listedRows(db: StaffDatabase, now: Date) {
  return db
    .selectFrom('staff_users')
    .leftJoin('staff_accounts', 'staff_accounts.user_id', 'staff_users.id')
    .leftJoin('staff_invitations', (join) =>
      join
        .onRef('staff_invitations.user_id', '=', 'staff_users.id')
        .on('staff_invitations.expires_at', '>', now.toISOString()),
    )
    .select(['staff_users.id', 'email', 'name', 'role', 'client_id', 'team_role', 'two_factor_enabled'])
    .select(['staff_users.created_at', 'staff_accounts.user_id as joined'])
    .select(hasIdentity.as('connected'))
    .select('staff_invitations.expires_at as invited_until');
}

type ListedRow = Awaited<ReturnType<ReturnType<typeof listedRows>['execute']>>[number];

function listedUser({ id, email, name, role, client_id, team_role, ...row }: ListedRow): ListedUser {
  return {
    ...userOf({ id, email, name, role, client_id, team_role }),
    createdAt: new Date(row.created_at),
    invitedUntil: row.invited_until === null ? null : new Date(row.invited_until),
    hasJoined: row.joined !== null || Number(row.connected) > 0,
    hasSecondFactor: Boolean(row.two_factor_enabled),
  };
}

/**
 * Locks the team of a client until the transaction ends, and reads it. Every row of the team is locked, and not just
 * its owners': which users are owners may change while the lock is awaited. The order by id prevents deadlocks. The
 * second statement sees what other transactions committed meanwhile. On SQLite, the transaction alone has that effect.
 */
export async function lockedTeam(
  transaction: Transaction<Tables>,
  clientId: string,
  kind: AccountsDatabase['kind'],
): Promise<TeamMember[]> {
  if (kind === 'postgres') {
    await transaction
      .selectFrom('staff_users')
      .select('id')
      .where('client_id', '=', clientId)
      .orderBy('id')
      // Leaves signing in, which refers to these rows, unblocked.
      .forNoKeyUpdate()
      .execute();
  }
  const rows = await transaction
    .selectFrom('staff_users')
    .leftJoin('staff_accounts', 'staff_accounts.user_id', 'staff_users.id')
    .select(['staff_users.id', 'team_role', 'staff_accounts.user_id as joined'])
    .select(hasIdentity.as('connected'))
    .where('client_id', '=', clientId)
    .execute();
  return rows.map(({ id, team_role, joined, connected }) => ({
    id,
    teamRole: team_role,
    hasJoined: joined !== null || Number(connected) > 0,
  }));
}
