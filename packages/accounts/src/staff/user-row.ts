import { isStorableText, STAFF_ROLES, TEAM_ROLES, type User } from '@countersign/domain';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import type { StaffDatabase } from '../database/tables.ts';

interface MemberRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly client_id: string | null;
  readonly team_role: string | null;
}

/** What `userOf` needs of a row. */
export const USER_COLUMNS = ['id', 'email', 'name', 'role', 'client_id', 'team_role'] as const;

/** A person from a row, which constraints of the database keep from having any other role. */
export function userOf({ id, email, name, role, client_id: clientId, team_role }: MemberRow): User {
  const known = STAFF_ROLES.find((candidate) => candidate === role);
  const teamRole = TEAM_ROLES.find((candidate) => candidate === team_role) ?? null;
  if (known === undefined || (known === 'client') !== (teamRole !== null)) {
    throw new Error(`The user ${id} has an unknown role`);
  }
  return { id, email, name, role: known, clientId, teamRole };
}

/**
 * Somebody by what a form sent; null where nobody is called that.
 * @param options.keepOn inside a transaction: nobody removes them before it ends, on this kind of database
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
