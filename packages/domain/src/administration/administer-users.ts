import { z } from 'zod';
import { invalidParameters } from '../errors.ts';
import { parseInput } from '../parse.ts';
import type { ManageStaff, NewRole } from '../staff/manage-staff.ts';
import { ownAccount, userExists, userNotFound } from '../staff/staff-errors.ts';
import { TEAM_ROLES } from '../staff/team-role.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import type { AdministerUsers } from './administration.ts';

const newRole: z.ZodType<NewRole> = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('client'), teamRole: z.enum(TEAM_ROLES) }),
  z.strictObject({ role: z.enum(['reviewer', 'operator']) }),
]);

/** All accounts for an operator. Whether they may, and that they did, is looked after in actions/. */
export function createAdministerUsers(
  { staff, clients }: { staff: ManageStaff; clients: Pick<ManageClients, 'get'> },
  /** Null at the command line, which has no account. */
  ownId: string | null,
): AdministerUsers {
  /** The operator decides whether a team may be without an owner. */
  const anyway = { keepOwner: false };

  /** A stolen session must not become a password, or an account without its second factor. */
  function requireAnother(userId: string): void {
    if (userId === ownId) throw ownAccount();
  }

  return {
    list: (of) => staff.list(of),

    async get(userId) {
      const user = await staff.find(userId);
      if (user === null) throw userNotFound();
      return user;
    },

    async create(input) {
      if (input.clientId !== undefined) await clients.get(input.clientId);
      const result = await staff.create(input);
      if (result.outcome === 'exists') throw userExists();
      const { user, invitationPath, expiresAt } = result;
      return { user, invitationPath, expiresAt };
    },

    async invite(userId) {
      requireAnother(userId);
      const link = await staff.invite(userId);
      if (link === null) throw userNotFound();
      return link;
    },

    async changeRole(userId, to) {
      const role = parseInput(newRole, to);
      requireAnother(userId);
      const { outcome } = await staff.changeRole(userId, role, anyway);
      switch (outcome) {
        case 'changed':
          return;
        case 'not_found':
          throw userNotFound();
        case 'other_kind':
          throw invalidParameters([
            { path: 'role', message: "a client's staff stay with their client, and nobody else becomes one" },
          ]);
        default:
          throw new Error(`changing a role anyway ended as ${outcome}`);
      }
    },

    async resetSecondFactor(userId) {
      requireAnother(userId);
      const user = await staff.resetSecondFactor(userId);
      if (user === null) throw userNotFound();
      return user;
    },

    async remove(userId) {
      requireAnother(userId);
      const result = await staff.remove(userId, anyway);
      switch (result.outcome) {
        case 'removed':
          return result.user;
        case 'not_found':
          throw userNotFound();
        default:
          throw new Error(`removing anyway ended as ${result.outcome}`);
      }
    },
  };
}
