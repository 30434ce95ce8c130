import { EMAIL_MAX } from '../fields/schema.ts';
import type { IssuedLink, ListedUser, OneTimeLink } from '../staff/manage-staff.ts';
import * as users from '../staff/manage-users.ts';
import { IDENTITY_FIELDS, type NewUser } from '../staff/new-user.ts';
import { parseNewRole } from '../staff/role-change.ts';
import { STAFF_ROLES, type StaffRole, TEAM_ROLES, type TeamRole, type User } from '../staff/user.ts';
import { type Action, type ClientLookup, defineAction } from './action.ts';
import type { CallerContext } from './caller.ts';
import { OPERATORS } from './rights.ts';

interface OnUser {
  readonly userId: string;
}

const managerOf = ({ actor }: CallerContext): users.UserManager => ({ ownId: actor.id, clientId: null });
const clientOf: ClientLookup = async ({ staff }, userId, caller) =>
  (await users.findUser(staff, managerOf(caller), userId)).clientId;

/** What the actions of operators that change one user have in common. */
const USER_CHANGE = {
  who: OPERATORS,
  reauthenticate: true,
  fields: { userId: { kind: 'id', by: 'page' } },
  audit: { target: 'userId', client: clientOf },
  outcomes: ['USER_NOT_FOUND', 'OWN_ACCOUNT'],
} as const;

/** Lists all users, or those of one client. */
export const listUsers: Action<{ readonly clientId?: string | undefined }, readonly ListedUser[]> = defineAction({
  id: 'users.list',
  who: OPERATORS,
  fields: { clientId: { kind: 'id', by: 'page', optional: true } },
  audit: { log: 'refusals', client: 'clientId' },
  run: ({ staff }, { clientId }) => staff.list(clientId === undefined ? undefined : { clientId }),
});

/** Users on one page. */
const PAGE = 50;

/** Reads a page of all users by e-mail address. */
export const searchUsers: Action<users.UserSearch, users.UserPage> = defineAction({
  id: 'users.search',
  who: ['operator'],
  fields: {
    email: { kind: 'text', max: EMAIL_MAX, optional: true },
    after: { kind: 'id', by: 'page', optional: true },
  },
  audit: { log: 'refusals' },
  run: ({ staff }, input) => users.searchUsers(staff, input, PAGE),
});

/** Reads a user, for operators. Outcome: `USER_NOT_FOUND`. */
export const getUser: Action<OnUser, User> = defineAction({
  id: 'users.get',
  who: OPERATORS,
  fields: { userId: { kind: 'id', by: 'page' } },
  audit: { log: 'refusals', target: 'userId' },
  outcomes: ['USER_NOT_FOUND'],
  run: ({ staff }, { userId }, caller) => users.findUser(staff, managerOf(caller), userId),
});

const roleFields = {
  role: { kind: 'choice', of: STAFF_ROLES },
  teamRole: { kind: 'choice', of: TEAM_ROLES, optional: true },
} as const;

/** Creates a user and a one-time link to join, which is mailed to them where the service sends mails. */
export const createUser: Action<NewUser, IssuedLink> = defineAction({
  id: 'users.create',
  who: OPERATORS,
  reauthenticate: true,
  fields: {
    ...IDENTITY_FIELDS,
    ...roleFields,
    clientId: { kind: 'id', optional: true },
  },
  audit: { client: 'clientId', keep: ['role', 'teamRole'], made: ({ user }) => ({ targetId: user.id }) },
  outcomes: ['CLIENT_NOT_FOUND', 'USER_EXISTS'],
  run: (services, input, caller) => users.createUser(services, managerOf(caller), input),
});

/** Makes a new one-time link for a user who lost theirs or forgot the password. Earlier links end. */
export const inviteUser: Action<OnUser, IssuedLink> = defineAction({
  id: 'users.invite',
  ...USER_CHANGE,
  run: (services, { userId }, caller) => users.inviteUser(services, managerOf(caller), userId),
});

/** Changes a user's role. Staff of a client stay with it; reviewers and operators change among themselves. */
export const changeUserRole: Action<
  OnUser & { readonly role: StaffRole; readonly teamRole?: TeamRole | undefined },
  void
> = defineAction({
  id: 'users.change_role',
  ...USER_CHANGE,
  fields: { ...USER_CHANGE.fields, ...roleFields },
  audit: { ...USER_CHANGE.audit, keep: ['role', 'teamRole'] },
  run: async ({ staff }, { userId, ...to }, caller) =>
    users.changeRole(staff, managerOf(caller), userId, parseNewRole(to)),
});

/**
 * Removes the second factor and ends every session of a user who lost the device and the backup codes. Where the service sends mails,
 * the user does it with their password and a link that they receive.
 */
export const resetSecondFactor: Action<OnUser, users.SecondFactorReset> = defineAction({
  id: 'users.reset_second_factor',
  ...USER_CHANGE,
  run: (services, { userId }, caller) => users.resetSecondFactor(services, managerOf(caller), userId),
});

/**
 * Deletes a user's identities at identity providers and ends every session. The user connects another by a new one-time link.
 */
export const disconnectProviders: Action<OnUser, User> = defineAction({
  id: 'users.disconnect_providers',
  ...USER_CHANGE,
  run: ({ staff }, { userId }, caller) => users.disconnectProviders(staff, managerOf(caller), userId),
});

/** Lets a user sign in with a password for a day although passwords are switched off for their role. At the command line only. */
export const allowPassword: Action<OnUser, OneTimeLink> = defineAction({
  id: 'users.allow_password',
  who: ['command_line'],
  fields: { userId: { kind: 'id', by: 'page' } },
  audit: { target: 'userId', client: clientOf },
  outcomes: ['USER_NOT_FOUND'],
  run: ({ staff }, { userId }) => users.allowPassword(staff, userId),
});

/** Removes the user with the typed e-mail address and ends every session immediately. Histories keep the id. */
export const removeUser: Action<OnUser & { readonly email: string }, User> = defineAction({
  id: 'users.remove',
  ...USER_CHANGE,
  fields: { ...USER_CHANGE.fields, email: { kind: 'email' } },
  run: ({ staff }, { userId, email }, caller) => users.removeUser(staff, managerOf(caller), userId, email),
});
