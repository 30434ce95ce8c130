import { randomUUID } from 'node:crypto';
import type { Clock } from '@countersign/domain';
import {
  changedRole,
  checkNewUser,
  leavesNoOwner,
  type ManageStaff,
  type NewUserContext,
  normalEmail,
} from '@countersign/domain/staff';
import type { AccountsDatabase, StaffDatabase } from '../database/tables.ts';
import { createIdentities } from './identities.ts';
import { invite, newInvitation } from './invitations.ts';
import { deleteSecondFactor } from './second-factors.ts';
import { findUser, listUsers, lockedTeam, searchUsers, USER_COLUMNS, userOf } from './users.ts';

/** Implements `ManageStaff` on the tables of accounts. It needs neither better-auth nor a secret. */
export function createManageStaff(
  database: () => Promise<StaffDatabase>,
  clock: Clock,
  kind: AccountsDatabase['kind'],
): ManageStaff {
  return {
    async create(input, { id = randomUUID(), locale }: NewUserContext = {}) {
      const { email, name, role, clientId, teamRole } = checkNewUser(input);
      const db = await database();
      const now = clock.now().toISOString();
      const user = { id, email, name, role, client_id: clientId, team_role: teamRole };
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .insertInto('staff_users')
          .values({ ...user, locale: locale ?? null, created_at: now, updated_at: now })
          // Changes nothing of another user, but returns it, and the commit takes as long as that of a new user.
          .onConflict((conflict) =>
            conflict.column('email').doUpdateSet((is) => ({ email: is.ref('excluded.email') })),
          )
          .returning(USER_COLUMNS)
          .executeTakeFirstOrThrow();
        if (row.id === user.id) {
          return { outcome: 'created' as const, user: userOf(row), ...(await invite(transaction, row.id, clock)) };
        }
        const { token: _, ...link } = newInvitation(clock);
        return { outcome: 'exists' as const, existing: userOf(row), user: userOf(user), ...link };
      });
    },

    identities: createIdentities(database, clock, kind),
    find: async (userId) => findUser(await database(), 'id', userId),
    findByEmail: async (email) => findUser(await database(), 'email', normalEmail(email)),
    list: async (of) => listUsers(await database(), clock.now(), of),
    search: async (query) => searchUsers(await database(), clock.now(), query),

    async invite(userId) {
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        const user = await findUser(transaction, 'id', userId, { keepOn: kind });
        if (user === null) return null;
        await transaction
          .updateTable('staff_users')
          .set((is) => ({ has_unverified_email: is.lit(false) }))
          .where('id', '=', user.id)
          .where((is) => is('has_unverified_email', '=', is.lit(true)))
          .execute();
        return { user, ...(await invite(transaction, user.id, clock)) };
      });
    },

    async changeRole(userId, to, { keepOwner }) {
      const db = await database();
      const now = clock.now().toISOString();
      return db.transaction().execute(async (transaction) => {
        const user = await findUser(transaction, 'id', userId);
        if (user === null) return { outcome: 'not_found' };
        const next = changedRole(user, to);
        if (next === null) return { outcome: 'other_kind' };
        const { role, teamRole } = next;
        if (user.clientId !== null) {
          const team = await lockedTeam(transaction, user.clientId, kind);
          if (keepOwner && leavesNoOwner(team, { userId, teamRole })) return { outcome: 'last_owner' };
        }
        const changed = await transaction
          .updateTable('staff_users')
          .set({ role, team_role: teamRole, updated_at: now })
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
        await deleteSecondFactor(transaction, userId);
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
          const team = await lockedTeam(transaction, user.clientId, kind);
          if (keepOwner && leavesNoOwner(team, { userId, teamRole: null })) return { outcome: 'last_owner' };
        }
        // Foreign keys cascade to every other table but `staff_verifications`, the pending sign-ins.
        const row = await transaction
          .deleteFrom('staff_users')
          .where('id', '=', userId)
          .returning(USER_COLUMNS)
          .executeTakeFirst();
        await transaction.deleteFrom('staff_verifications').where('value', '=', userId).execute();
        return row === undefined ? { outcome: 'not_found' } : { outcome: 'removed', user: userOf(row) };
      });
    },
  };
}
