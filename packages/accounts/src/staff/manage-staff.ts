import { randomUUID } from 'node:crypto';
import type { Clock, ManageStaff } from '@countersign/domain';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import type { StaffDatabase } from '../database/tables.ts';
import { invite } from './invitations.ts';
import { listMembers } from './list-members.ts';
import { findMember, MEMBER_COLUMNS, memberOf } from './member-row.ts';
import { checkedNewMember, normalEmail } from './new-member.ts';
import { isLastOwner, lockTeam } from './team.ts';

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
          .returning(MEMBER_COLUMNS)
          .executeTakeFirst();
        if (row === undefined) return { outcome: 'exists' as const };
        const link = await invite(transaction, row.id, clock);
        return { outcome: 'created' as const, member: memberOf(row), ...link };
      });
    },

    find: async (staffId) => findMember(await database(), 'id', staffId),
    findByEmail: async (email) => findMember(await database(), 'email', normalEmail(email)),
    list: async (of) => listMembers(await database(), clock.now(), of),

    async invite(staffId) {
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        const member = await findMember(transaction, 'id', staffId, { keepOn: kind });
        return member === null ? null : { member, ...(await invite(transaction, member.id, clock)) };
      });
    },

    async changeRole(staffId, to, { keepOwner }) {
      const db = await database();
      const moment = clock.now().toISOString();
      return db.transaction().execute(async (transaction) => {
        const member = await findMember(transaction, 'id', staffId);
        if (member === null) return { outcome: 'not_found' };
        if ((member.clientId !== null) !== (to.role === 'client')) return { outcome: 'other_kind' };
        const teamRole = to.role === 'client' ? to.teamRole : null;
        if (member.clientId !== null) {
          await lockTeam(transaction, member.clientId, kind);
          const mayGo = !keepOwner || teamRole === 'owner';
          if (!mayGo && (await isLastOwner(transaction, member.clientId, staffId)))
            return { outcome: 'last_owner' };
        }
        const changed = await transaction
          .updateTable('staff_users')
          .set({ role: to.role, team_role: teamRole, updated_at: moment })
          .where('id', '=', staffId)
          .returning('id')
          .executeTakeFirst();
        return { outcome: changed === undefined ? 'not_found' : 'changed' };
      });
    },

    async resetSecondFactor(staffId) {
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        const member = await findMember(transaction, 'id', staffId);
        if (member === null) return null;
        await transaction
          .updateTable('staff_users')
          .set((is) => ({ two_factor_enabled: is.lit(false) }))
          .where('id', '=', staffId)
          .execute();
        await transaction.deleteFrom('staff_two_factors').where('user_id', '=', staffId).execute();
        await transaction.deleteFrom('staff_sessions').where('user_id', '=', staffId).execute();
        return member;
      });
    },

    async remove(staffId, { keepOwner }) {
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        const member = await findMember(transaction, 'id', staffId);
        if (member === null) return { outcome: 'not_found' };
        if (member.clientId !== null) {
          await lockTeam(transaction, member.clientId, kind);
          if (keepOwner && (await isLastOwner(transaction, member.clientId, staffId))) {
            return { outcome: 'last_owner' };
          }
        }
        // Whatever else there is of them goes with it, by the foreign keys.
        const row = await transaction
          .deleteFrom('staff_users')
          .where('id', '=', staffId)
          .returning(MEMBER_COLUMNS)
          .executeTakeFirst();
        // But what waits for a second factor has none.
        await transaction.deleteFrom('staff_verifications').where('value', '=', staffId).execute();
        return row === undefined ? { outcome: 'not_found' } : { outcome: 'removed', member: memberOf(row) };
      });
    },
  };
}
