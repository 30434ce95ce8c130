import { z } from 'zod';
import { CountersignError } from '../errors.ts';
import { parseInput } from '../parse.ts';
import type { RateLimit, RateLimiter } from '../rate-limit/rate-limiter.ts';
import {
  type ListedUser,
  lastOwner,
  type ManageStaff,
  ownAccount,
  userExists,
  userNotFound,
} from '../staff/manage-staff.ts';
import { TEAM_ROLES } from '../staff/user.ts';
import type { DashboardTeam } from './dashboard.ts';

const teamRole = z.enum(TEAM_ROLES);
/** `ManageStaff` checks e-mail and name. Unknown fields are refused. */
const invitation = z.strictObject({ email: z.string(), name: z.string().optional(), teamRole });
const newRole = z.strictObject({ teamRole });

/**
 * New members of a team, tried ones included. Whether an address has an account can be told from an invitation, and each
 * makes an account: nobody needs thousands. An operator's are not counted.
 */
const INVITATIONS: RateLimit = { requests: 100, windowSeconds: 60 * 60 };

/** The team of a client for one of its members. Whether they may, and that they did, is looked after in actions/. */
export function createTeam(
  { staff, rateLimiter }: { staff: ManageStaff; rateLimiter: RateLimiter },
  { clientId, userId: ownId }: { readonly clientId: string; readonly userId: string },
): DashboardTeam {
  /** Another client's user is not found, as if there were none. */
  async function find(userId: string): Promise<ListedUser> {
    const user = (await staff.list({ clientId })).find(({ id }) => id === userId);
    if (user === undefined) throw userNotFound();
    return user;
  }

  async function requireInvited(userId: string): Promise<void> {
    const { hasJoined } = await find(userId);
    if (hasJoined) {
      throw new CountersignError('ALREADY_JOINED', 'Whoever has joined sets their password themselves');
    }
  }

  return {
    list: () => staff.list({ clientId }),

    async invite(input) {
      const { email, name, teamRole } = parseInput(invitation, input);
      const { allowed } = await rateLimiter.consume(`team-invite:${clientId}`, INVITATIONS);
      if (!allowed) throw new CountersignError('RATE_LIMIT_EXCEEDED', 'Too many invitations in an hour');
      const result = await staff.create({ email, name, role: 'client', clientId, teamRole });
      if (result.outcome === 'exists') throw userExists();
      const { user, invitationPath, expiresAt } = result;
      return { user, invitationPath, expiresAt };
    },

    async renewInvitation(userId) {
      await requireInvited(userId);
      const link = await staff.invite(userId);
      if (link === null) throw userNotFound();
      // Earlier links have ended now. Who joined by one of them just before would lose their password to this one.
      await requireInvited(userId);
      return link;
    },

    async changeRole(userId, to) {
      const { teamRole } = parseInput(newRole, { teamRole: to });
      await find(userId);
      const { outcome } = await staff.changeRole(userId, { role: 'client', teamRole }, { keepOwner: true });
      switch (outcome) {
        case 'changed':
          return;
        case 'last_owner':
          throw lastOwner();
        case 'not_found':
        case 'other_kind':
          throw userNotFound();
        default:
          return outcome satisfies never;
      }
    },

    async remove(userId) {
      await find(userId);
      if (userId === ownId) throw ownAccount();
      const { outcome } = await staff.remove(userId, { keepOwner: true });
      if (outcome === 'not_found') throw userNotFound();
      if (outcome === 'last_owner') throw lastOwner();
    },
  };
}
