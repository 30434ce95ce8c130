import { randomUUID } from 'node:crypto';
import type { Clock } from '@countersign/domain';
import {
  changedRole,
  checkNewUser,
  leavesNoOwner,
  type ManageStaff,
  type NewUserContext,
  normalEmail,
  type User,
} from '@countersign/domain/staff';
import type { Transaction } from 'kysely';
import type { AccountsDatabase, StaffDatabase, Tables } from '../database/tables.ts';
import { deleteSecondFactor } from './delete-second-factor.ts';
import { createIdentities } from './identities.ts';
import { invite, newInvitation } from './invitations.ts';
import { findUser, listUsers, lockedTeam, searchUsers, USER_COLUMNS, userOf } from './users.ts';
import {
  changeWithheldRole,
  endWithheld,
  findWithheld,
  listWithheld,
  removeWithheld,
  renewWithheld,
  touchWithheld,
  withhold,
} from './withheld-invitations.ts';

/** Implements `ManageStaff` on the tables of accounts. It needs no secret. */
export function createManageStaff(
  database: () => Promise<StaffDatabase>,
  clock: Clock,
  kind: AccountsDatabase['kind'],
): ManageStaff {
  /** Reads the team of a withheld invitation that was changed, as for a user, so that the time does not tell them apart. */
  async function takeAsLong(transaction: Transaction<Tables>, changed: User | null): Promise<void> {
    if (changed?.clientId) await lockedTeam(transaction, changed.clientId, kind);
  }

  return {
    async create(input, { id = randomUUID(), locale, withholds = false }: NewUserContext = {}) {
      const { email, name, role, clientId, teamRole } = checkNewUser(input);
      const db = await database();
      const now = clock.now().toISOString();
      const user = { id, email, name, role, client_id: clientId, team_role: teamRole };
      return db.transaction().execute(async (transaction) => {
        const exists = (existing: User, { token: _, ...link } = newInvitation(clock)) => ({
          outcome: 'exists' as const,
          existing,
          user: userOf(user),
          ...link,
        });
        if (withholds) {
          const withheld = await touchWithheld(transaction, { clientId, email });
          if (withheld !== null) return exists(withheld);
        }
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
          // With the option there is none, and the invitation takes as many statements as one that is withheld.
          if (!withholds) await endWithheld(transaction, { clientId, email });
          return { outcome: 'created' as const, user: userOf(row), ...(await invite(transaction, row.id, clock)) };
        }
        const existing = userOf(row);
        const link = newInvitation(clock);
        if (!withholds || existing.clientId === clientId) return exists(existing, link);
        if (await withhold(transaction, userOf(user), link, now)) return exists(existing, link);
        // Another call has just stored it.
        return exists((await findWithheld(transaction, { clientId, email })) ?? existing, link);
      });
    },

    identities: createIdentities(database, clock, kind),
    find: async (userId) => findUser(await database(), 'id', userId),
    findByEmail: async (email) => findUser(await database(), 'email', normalEmail(email)),
    async team(clientId) {
      const [db, now] = [await database(), clock.now()];
      const all = [...(await listUsers(db, now, { clientId })), ...(await listWithheld(db, now, clientId))];
      return all.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
    },
    list: async (of) => listUsers(await database(), clock.now(), of),
    search: async (query) => searchUsers(await database(), clock.now(), query),

    async invite(userId) {
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        const user = await findUser(transaction, 'id', userId, { keepOn: kind });
        if (user === null) return renewWithheld(transaction, userId, clock);
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
        if (user === null) {
          if (!('teamRole' in to)) return { outcome: 'not_found' };
          const changed = await changeWithheldRole(transaction, userId, to.teamRole);
          await takeAsLong(transaction, changed);
          return { outcome: changed === null ? 'not_found' : 'changed' };
        }
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
        if (user === null) {
          const withheld = await removeWithheld(transaction, userId);
          await takeAsLong(transaction, withheld);
          return withheld === null ? { outcome: 'not_found' } : { outcome: 'removed', user: withheld };
        }
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
