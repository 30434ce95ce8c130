import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import type { Tables } from '../database/tables.ts';

/**
 * Makes whoever changes the team of a client wait until this transaction ends. All of the team is locked, and not just its
 * owners, so that two who change it always meet: who is an owner may change while they wait. In one order, so that they
 * never wait for each other. On SQLite the transaction alone has that effect.
 */
export async function lockTeam(
  transaction: Transaction<Tables>,
  clientId: string,
  kind: AccountsDatabase['kind'],
): Promise<void> {
  if (kind === 'sqlite') return;
  await transaction
    .selectFrom('staff_users')
    .select('id')
    .where('client_id', '=', clientId)
    .orderBy('id')
    // Signing in refers to these rows, and need not wait.
    .forNoKeyUpdate()
    .execute();
}

/**
 * Whether a client would be left without an owner who can act. Those who have a password count; where nobody has one
 * yet, everybody who was invited does. Looked at after `lockTeam`, in a statement of its own: it sees what others kept.
 */
export async function isLastOwner(
  transaction: Transaction<Tables>,
  clientId: string,
  userId: string,
): Promise<boolean> {
  const owners = await transaction
    .selectFrom('staff_users')
    .leftJoin('staff_accounts', 'staff_accounts.user_id', 'staff_users.id')
    .select(['staff_users.id', 'staff_accounts.user_id as joined'])
    .where('client_id', '=', clientId)
    .where('team_role', '=', 'owner')
    .execute();
  const joined = owners.filter((owner) => owner.joined !== null);
  const counted = joined.length > 0 ? joined : owners;
  return counted.length === 1 && counted[0]?.id === userId;
}
