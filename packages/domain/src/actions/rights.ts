import type { StaffSession } from '../staff/sign-in.ts';
import { roleHas, type TeamRight } from '../staff/team-rights.ts';
import { belongsToClient, type User } from '../staff/user.ts';
import type { CallerContext } from './caller.ts';

/**
 * A group of callers: any user of a client's team, users whose team role has a right, reviewers, operators who
 * are signed in, or operators at the command line.
 */
export type Who = 'team' | { readonly right: TeamRight } | 'reviewer' | 'operator' | 'command_line';

/** Whether the caller belongs to one of the groups. An empty list allows no one. */
export function isOneOf(who: readonly Who[], caller: CallerContext): boolean {
  return who.some((group) => belongsTo(group, caller));
}

/** Operators, signed in or at the command line. */
export const OPERATORS: readonly Who[] = ['operator', 'command_line'];

/** The groups that hold, release and erase data and hand out copies of it. */
export const RETENTION_MANAGERS: readonly Who[] = [{ right: 'manage_retention' }, ...OPERATORS];

/** Whether a user belongs to one of the groups for the verifications of a client. */
export function isUserOneOf(who: readonly Who[], user: User, clientId: string): boolean {
  const { role, teamRole } = user;
  if (!belongsToClient(role)) return who.includes(role);
  if (user.clientId !== clientId) return false;
  return who.some((group) => group === 'team' || (typeof group === 'object' && roleHas(teamRole, group.right)));
}

/** Whether the caller's team role has the right. */
export function hasRight({ team }: CallerContext, right: TeamRight): boolean {
  return roleHas(team?.teamRole ?? null, right);
}

function belongsTo(group: Who, caller: CallerContext): boolean {
  const { actor, session, team } = caller;
  switch (group) {
    case 'team':
      return team !== null;
    case 'reviewer':
    case 'operator':
      return session !== null && actor.kind === group;
    case 'command_line':
      return session === null && actor.kind === 'operator';
    default:
      return hasRight(caller, group.right);
  }
}

/** How long a confirmed password holds within its session, in milliseconds. Signing in does not count as confirming. */
export const CONFIRMED_MS: number = 10 * 60 * 1000;

/** Whether the user of a session entered the password again less than ten minutes ago (`SignIn.confirmPath`). */
export function isConfirmed({ confirmedAt }: Pick<StaffSession, 'confirmedAt'>, now: Date): boolean {
  if (confirmedAt === null) return false;
  const age = now.getTime() - confirmedAt.getTime();
  // After a clock was set back, a confirmation does not hold for longer.
  return -CONFIRMED_MS < age && age < CONFIRMED_MS;
}
