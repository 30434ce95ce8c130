import type { IssuedLink, ListedUser } from '../staff/manage-staff.ts';
import * as users from '../staff/manage-users.ts';
import { IDENTITY_FIELDS, type TeamInvitation } from '../staff/new-user.ts';
import { TEAM_ROLES, type TeamRole } from '../staff/user.ts';
import { type Action, defineAction } from './action.ts';
import { type CallerContext, teamOf } from './caller.ts';
import { plainRead } from './targets.ts';

/** What the actions that change a team have in common. */
const TEAM_CHANGE = { who: [{ right: 'manage_team' }], liveOnly: true, reauthenticate: true } as const;

/** Lists the team of the caller's client, invited users included. */
export const listTeam: Action<object, readonly ListedUser[]> = defineAction({
  id: 'team.list',
  who: ['team'],
  liveOnly: true,
  ...plainRead,
  run: ({ staff }, _input, caller) => staff.team(teamOf(caller).clientId),
});

/** Invites a user into the team. The number of invitations is limited. */
export const inviteToTeam: Action<TeamInvitation, users.Invited> = defineAction({
  id: 'team.invite',
  ...TEAM_CHANGE,
  fields: {
    ...IDENTITY_FIELDS,
    teamRole: { kind: 'choice', of: TEAM_ROLES },
  },
  audit: {
    keep: ['teamRole'],
    made: ({ user, existingId }) =>
      existingId === null ? { targetId: user.id } : { targetId: existingId, detail: { code: 'USER_EXISTS' } },
  },
  outcomes: ['USER_EXISTS', 'RATE_LIMIT_EXCEEDED'],
  run: (services, input, caller) => users.inviteToTeam(services, teamOf(caller), input),
});

/** Makes a new invitation for a colleague who has not joined yet. Each can be renewed three times an hour. */
export const renewTeamInvitation: Action<{ readonly userId: string }, IssuedLink> = defineAction({
  id: 'team.renew_invitation',
  ...TEAM_CHANGE,
  fields: { userId: { kind: 'id', by: 'page' } },
  audit: { target: 'userId' },
  outcomes: ['USER_NOT_FOUND', 'ALREADY_JOINED', 'TOO_MANY_RENEWALS'],
  run: (services, { userId }, caller) => users.renewInvitation(services, teamOf(caller).clientId, userId),
});

/** Changes the role of a user in the team of the caller. Outcomes: `USER_NOT_FOUND`, `LAST_OWNER`. */
export const changeTeamRole: Action<{ readonly userId: string; readonly teamRole: TeamRole }, void> = defineAction(
  {
    id: 'team.change_role',
    ...TEAM_CHANGE,
    fields: { userId: { kind: 'id', by: 'page' }, teamRole: { kind: 'choice', of: TEAM_ROLES } },
    audit: { target: 'userId', keep: ['teamRole'] },
    outcomes: ['USER_NOT_FOUND', 'LAST_OWNER'],
    run: ({ staff }, { userId, teamRole }, caller) =>
      users.changeRole(staff, managerOf(caller), userId, { role: 'client', teamRole }),
  },
);

/** Removes a user from the team of the caller. Outcomes: `USER_NOT_FOUND`, `LAST_OWNER`, `OWN_ACCOUNT`. */
export const removeFromTeam: Action<{ readonly userId: string }, void> = defineAction({
  id: 'team.remove',
  ...TEAM_CHANGE,
  fields: { userId: { kind: 'id', by: 'page' } },
  audit: { target: 'userId' },
  outcomes: ['USER_NOT_FOUND', 'LAST_OWNER', 'OWN_ACCOUNT'],
  run: async ({ staff }, { userId }, caller) => {
    await users.removeUser(staff, managerOf(caller), userId);
  },
});

function managerOf(caller: CallerContext): users.UserManager {
  const { clientId, userId } = teamOf(caller);
  return { clientId, ownId: userId };
}
