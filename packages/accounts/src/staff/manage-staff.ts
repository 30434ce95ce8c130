import { randomUUID } from 'node:crypto';
import type { Clock, ManageStaff } from '@countersign/domain';
import type { StaffDatabase } from '../database/tables.ts';
import { invite } from './invitations.ts';
import { memberOf } from './member-row.ts';
import { checkedNewMember, normalEmail } from './new-member.ts';

const COLUMNS = ['id', 'email', 'name', 'role', 'client_id'] as const;

/** What operators do. It needs neither better-auth nor any secret. */
export function createManageStaff(database: () => Promise<StaffDatabase>, clock: Clock): ManageStaff {
  return {
    async create(input) {
      const { email, name, role, clientId } = checkedNewMember(input);
      const db = await database();
      const now = clock.now().toISOString();
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .insertInto('staff_users')
          .values({ id: randomUUID(), email, name, role, client_id: clientId, created_at: now, updated_at: now })
          .onConflict((conflict) => conflict.column('email').doNothing())
          .returning(COLUMNS)
          .executeTakeFirst();
        if (row === undefined) return { outcome: 'exists' as const };
        return {
          outcome: 'created' as const,
          member: memberOf(row),
          ...(await invite(transaction, row.id, clock)),
        };
      });
    },

    async invite(email) {
      const db = await database();
      const row = await db
        .selectFrom('staff_users')
        .select(COLUMNS)
        .where('email', '=', normalEmail(email))
        .executeTakeFirst();
      return row === undefined ? null : { member: memberOf(row), ...(await invite(db, row.id, clock)) };
    },

    async list() {
      const db = await database();
      const rows = await db
        .selectFrom('staff_users')
        .select(COLUMNS)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(memberOf);
    },

    async resetSecondFactor(email) {
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('staff_users')
          .set((is) => ({ two_factor_enabled: is.lit(false) }))
          .where('email', '=', normalEmail(email))
          .returning(COLUMNS)
          .executeTakeFirst();
        if (row === undefined) return null;
        await transaction.deleteFrom('staff_two_factors').where('user_id', '=', row.id).execute();
        await transaction.deleteFrom('staff_sessions').where('user_id', '=', row.id).execute();
        return memberOf(row);
      });
    },

    async remove(email) {
      const db = await database();
      // Whatever else there is of them goes with it, by the foreign keys.
      const row = await db
        .deleteFrom('staff_users')
        .where('email', '=', normalEmail(email))
        .returning(COLUMNS)
        .executeTakeFirst();
      return row === undefined ? null : memberOf(row);
    },
  };
}
