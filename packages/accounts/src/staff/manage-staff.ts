import { randomUUID } from 'node:crypto';
import type { Clock, ManageStaff } from '@countersign/domain';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import type { StaffDatabase } from '../database/tables.ts';
import { invite } from './invitations.ts';
import { listUsers } from './list-members.ts';
import { checkedNewMember, normalEmail } from './new-user.ts';
import { isLastOwner, lockTeam } from './team.ts';
import { findUser, USER_COLUMNS, userOf } from './user-row.ts';

/** What operators and the owners of clients do. It needs neither better-auth nor any secret. */
export function createManageStaff(
  database: () => Promise<StaffDatabase>,
  clock: Clock,
  kind: AccountsDatabase['kind'],
): ManageStaff {
  return {
    async create(input) {
      const { email, name, role, clientId, teamRole } = checkedNewMember(input);
      const db = await database();
      const now = clock.now().toISOString();
      const user = { id: randomUUID(), email, name, role, client_id: clientId, team_role: teamRole };
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .insertInto('staff_users')
          .values({ ...user, created_at: now, updated_at: now })
          .onConflict((conflict) => conflict.column('email').doNothing())
          .returning(USER_COLUMNS)
          .executeTakeFirst();
        if (row === undefined) return { outcome: 'exists' as const };
        const link = await invite(transaction, row.id, clock);
        return { outcome: 'created' as const, user: userOf(row), ...link };
      });
    },

    find: async (userId) => findUser(await database(), 'id', userId),
    findByEmail: async (email) => findUser(await database(), 'email', normalEmail(email)),
    list: async (of) => listUsers(await database(), clock.now(), of),

    async invite(userId) {
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        const user = await findUser(transaction, 'id', userId, { keepOn: kind });
        return user === null ? null : { user, ...(await invite(transaction, user.id, clock)) };
      });
    },

    async changeRole(userId, to, { keepOwner }) {
      const db = await database();
      const moment = clock.now().toISOString();
      return db.transaction().execute(async (transaction) => {
        const user = await findUser(transaction, 'id', userId);
        if (user === null) return { outcome: 'not_found' };
        if ((user.clientId !== null) !== (to.role === 'client')) return { outcome: 'other_kind' };
        const teamRole = to.role === 'client' ? to.teamRole : null;
        if (user.clientId !== null) {
          await lockTeam(transaction, user.clientId, kind);
          const mayGo = !keepOwner || teamRole === 'owner';
          if (!mayGo && (await isLastOwner(transaction, user.clientId, userId))) return { outcome: 'last_owner' };
        }
        const changed = await transaction
          .updateTable('staff_users')
          .set({ role: to.role, team_role: teamRole, updated_at: moment })
          .where('id', '=', userId)
          .returning('id')
          .executeTakeFirst();
        return { outcome: changed === undefined ? 'not_found' : 'changed' };
      });
    },

    async resetSecondFactor(userId) {
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        const user = await findUser(transaction, 'id', userId);
        if (user === null) return null;
        await transaction
          .updateTable('staff_users')
          .set((is) => ({ two_factor_enabled: is.lit(false) }))
          .where('id', '=', userId)
          .execute();
        await transaction.deleteFrom('staff_two_factors').where('user_id', '=', userId).execute();
        await transaction.deleteFrom('staff_sessions').where('user_id', '=', userId).execute();
        return user;
      });
    },

    async remove(userId, { keepOwner }) {
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        const user = await findUser(transaction, 'id', userId);
        if (user === null) return { outcome: 'not_found' };
        if (user.clientId !== null) {
          await lockTeam(transaction, user.clientId, kind);
          if (keepOwner && (await isLastOwner(transaction, user.clientId, userId))) {
            return { outcome: 'last_owner' };
          }
        }
        // Whatever else there is of them goes with it, by the foreign keys.
        const row = await transaction
          .deleteFrom('staff_users')
          .where('id', '=', userId)
          .returning(USER_COLUMNS)
          .executeTakeFirst();
        // But what waits for a second factor has none.
        await transaction.deleteFrom('staff_verifications').where('value', '=', userId).execute();
        return row === undefined ? { outcome: 'not_found' } : { outcome: 'removed', user: userOf(row) };
      });
    },
  };
}
