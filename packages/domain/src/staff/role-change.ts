import { z } from 'zod';
import { parseInput } from '../input/parse.ts';
import { belongsToClient, SERVICE_ROLES, type ServiceRole, TEAM_ROLES, type TeamRole, type User } from './user.ts';

/** The role that a user changes to: another role in the team of the same client, or another role in the service. */
export type NewRole = { readonly role: 'client'; readonly teamRole: TeamRole } | { readonly role: ServiceRole };

const newRole: z.ZodType<NewRole> = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('client'), teamRole: z.enum(TEAM_ROLES) }),
  z.strictObject({ role: z.enum(SERVICE_ROLES) }),
]);

/** Parses an untrusted role. @throws CountersignError `INVALID_PARAMETERS` */
export function parseNewRole(input: unknown): NewRole {
  return parseInput(newRole, input);
}

/** A user of a client's team, as `leavesNoOwner` sees them. */
export interface TeamMember {
  readonly id: string;
  readonly teamRole: string | null;
  /** Whether the user can sign in (`ListedUser`). */
  readonly hasJoined: boolean;
}

/**
 * Returns the role and team role of a user after a change; null if the change is not allowed. Staff of a client stay
 * with that client, and reviewers and operators do not join one.
 */
export function changedRole(user: Pick<User, 'role'>, to: NewRole): Pick<User, 'role' | 'teamRole'> | null {
  if (belongsToClient(user.role) !== belongsToClient(to.role)) return null;
  return { role: to.role, teamRole: 'teamRole' in to ? to.teamRole : null };
}

/**
 * Whether a team loses its last owner when one of its users gets another role or is removed. Owners who have joined
 * count, because only they can sign in; if none has, all invited owners count.
 * @param team all users of the client, before the change
 * @param teamRole the user's role in the team afterwards; null for a user who is removed
 */
export function leavesNoOwner(
  team: readonly TeamMember[],
  { userId, teamRole }: { readonly userId: string; readonly teamRole: TeamRole | null },
): boolean {
  if (teamRole === 'owner') return false;
  const owners = team.filter((member) => member.teamRole === 'owner');
  const joined = owners.filter(({ hasJoined }) => hasJoined);
  const counted = joined.length > 0 ? joined : owners;
  return counted.length === 1 && counted[0]?.id === userId;
}
