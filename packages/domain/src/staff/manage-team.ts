import { z } from 'zod';
import { CountersignError } from '../errors.ts';
import { parseInput } from '../parse.ts';
import type { RateLimit, RateLimiter } from '../rate-limit/rate-limiter.ts';
import {
  type ListedUser,
  lastOwner,
  type ManageStaff,
  type OneTimeLink,
  ownAccount,
  userExists,
  userNotFound,
} from './manage-staff.ts';
import { TEAM_ROLES, type TeamRole } from './user.ts';

/** The users of one client, for a member of its team. A user of another client is not found. */
export interface ManageTeam {
  list(): Promise<readonly ListedUser[]>;
  /** @throws CountersignError `INVALID_PARAMETERS`, `RATE_LIMIT_EXCEEDED`, `USER_EXISTS` */
  invite(input: {
    readonly email: string;
    readonly name?: string | undefined;
    readonly teamRole: TeamRole;
  }): Promise<OneTimeLink>;
  /** Only for a user who has not joined yet: colleagues must not set another's password. @throws CountersignError `USER_NOT_FOUND`, `ALREADY_JOINED` */
  renewInvitation(userId: string): Promise<OneTimeLink>;
  /** @throws CountersignError `USER_NOT_FOUND`, `LAST_OWNER` */
  changeRole(userId: string, teamRole: TeamRole): Promise<void>;
  /** @throws CountersignError `USER_NOT_FOUND`, `LAST_OWNER`, `OWN_ACCOUNT` */
  remove(userId: string): Promise<void>;
}

const teamRole = z.enum(TEAM_ROLES);
/** `ManageStaff` checks e-mail and name. Unknown fields are refused. */
const invitation = z.strictObject({ email: z.string(), name: z.string().optional(), teamRole });
const newRole = z.strictObject({ teamRole });

/**
 * New members of a team, tried ones included. Whether an address has an account can be told from an invitation, and each
 * makes an account: nobody needs thousands. An operator's are not counted.
 */
const INVITATIONS: RateLimit = { requests: 100, windowSeconds: 60 * 60 };

/** `actions/` checks the right and records the call. */
export function createManageTeam(
  { staff, rateLimiter }: { staff: ManageStaff; rateLimiter: RateLimiter },
  { clientId, userId: ownId }: { readonly clientId: string; readonly userId: string },
): ManageTeam {
  /** Another client's user is not found, as if there were none. */
  async function find(userId: string): Promise<ListedUser> {
    const user = (await staff.list({ clientId })).find(({ id }) => id === userId);
    if (user === undefined) throw userNotFound();
    return user;
  }

  async function requireInvited(userId: string): Promise<void> {
    const { hasJoined } = await find(userId);
    if (hasJoined) {
      throw new CountersignError('ALREADY_JOINED', 'The user has already joined');
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
