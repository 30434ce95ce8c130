import { CountersignError } from '@countersign/domain';
import {
  allowPassword,
  changeUserRole,
  createUser,
  disconnectProviders,
  getUser,
  inviteUser,
  listUsers,
  removeUser,
  resetSecondFactor,
} from '@countersign/domain/actions';
import { type IssuedLink, SERVICE_ROLES, type User } from '@countersign/domain/staff';
import { InvalidArgumentError } from 'commander';
import { openStaffAdministration, type StaffAdministration } from '../composition/administration.ts';
import { readLinkSettings } from '../config/environment.ts';
import type { Environment } from '../config/parse-environment.ts';
import type { ActionCommands, CommandOption, Given, Printed } from './action-command.ts';
import { tableOf } from './terminal.ts';

/** Adds the commands about users. */
export function addUserCommands({ add }: ActionCommands): void {
  add({
    name: 'user create',
    description: 'create an account, and a one-time link with which the user sets a password within 24 hours',
    action: createUser,
    open,
    options: {
      name: { help: 'name in histories; default the first part of the e-mail address' },
      clientId: { help: 'client of the user; with the role client, and with no other' },
      teamRole: { help: "role in the client's team; default owner" },
    },
    print: (link, _, { publicBaseUrl }) => printLink(link, publicBaseUrl),
  });

  add({
    name: 'user invite',
    description: 'create a new link for a user who lost theirs or forgot the password; the earlier one ends',
    action: inviteUser,
    open,
    options: BY_EMAIL,
    input: findUser,
    print: (link, _, { publicBaseUrl }) => printLink(link, publicBaseUrl),
  });

  add({
    name: 'user set-role',
    description: 'change what a user may do, from their next request on; staff of clients stay with their clients',
    action: changeUserRole,
    open,
    options: {
      ...BY_EMAIL,
      role: {
        help: 'for reviewers and operators',
        choices: SERVICE_ROLES,
        isOptional: true,
        conflicts: 'teamRole',
      },
      teamRole: { help: 'for staff of a client' },
    },
    async input({ role, teamRole, ...given }, administration) {
      if (role === undefined && teamRole === undefined) {
        throw new InvalidArgumentError("option '--role <role>' or '--team-role <role>' is needed");
      }
      const user = await findUser(given, administration);
      return teamRole === undefined ? { ...user, role } : { ...user, role: 'client', teamRole };
    },
    async print(_, { userId }, { run }) {
      return printUser(await run(getUser, { userId }), 'has this role now');
    },
  });

  add({
    name: 'user reset-second-factor',
    description: 'remove the second factor of a user who lost the device and the backup codes',
    action: resetSecondFactor,
    open,
    options: BY_EMAIL,
    input: findUser,
    print: ({ user }) => printUser(user, 'has no second factor and is signed out'),
  });

  add({
    name: 'user disconnect-providers',
    description: 'sign a user out and delete their identities at identity providers',
    action: disconnectProviders,
    open,
    options: BY_EMAIL,
    input: findUser,
    print: (user) => printUser(user, 'is signed out and connected to no identity provider'),
  });

  add({
    name: 'user allow-password',
    description: 'let a user sign in with a password for 24 hours, although passwords are off for their role',
    action: allowPassword,
    open,
    options: BY_EMAIL,
    input: findUser,
    print: (link, _, { publicBaseUrl }) => printLink(link, publicBaseUrl),
  });

  add({
    name: 'user remove',
    description: 'sign a user out and remove the account',
    action: removeUser,
    open,
    options: BY_EMAIL,
    input: async (given, administration) => ({
      email: String(given.email).trim(),
      ...(await findUser(given, administration)),
    }),
    print: (user) => printUser(user, 'is removed'),
  });

  add({
    name: 'user get',
    description: 'show one user',
    action: getUser,
    open,
    options: BY_EMAIL,
    input: findUser,
    print: (user) => ({ json: viewOf(user), text: listText([user]) }),
  });

  add({
    name: 'user list',
    description: 'list all users, oldest first',
    action: listUsers,
    open,
    options: { clientId: null },
    print: (users) => ({
      json: users.map((user) => ({ ...viewOf(user), name: user.name })),
      text: listText(users),
    }),
  });
}

/** Commands name a user by e-mail address instead of id. */
const BY_EMAIL: Readonly<Record<string, CommandOption | null>> = { userId: null, email: { value: '<address>' } };

/** Finds the user with the given e-mail address. @throws CountersignError `USER_NOT_FOUND` */
async function findUser({ email }: Given, { findByEmail }: StaffAdministration): Promise<{ userId: string }> {
  const user = await findByEmail(String(email));
  if (user === null) throw new CountersignError('USER_NOT_FOUND');
  return { userId: user.id };
}

interface UserAdministration extends StaffAdministration {
  readonly publicBaseUrl: string;
}

async function open(environment: Environment): Promise<UserAdministration> {
  const settings = readLinkSettings(environment);
  return { ...(await openStaffAdministration(settings)), publicBaseUrl: settings.publicBaseUrl };
}

function printUser(user: User, what: string): Printed {
  return { json: viewOf(user), text: `User ${user.id} (${roleText(user)}) ${what}` };
}

/** Prints a one-time link, which is never shown again. Commands send no mails, so there always is one. */
function printLink({ user, invitationPath, expiresAt }: IssuedLink, publicBaseUrl: string): Printed {
  if (invitationPath === null) throw new Error('the link is sent by mail');
  const signInUrl = `${publicBaseUrl}${invitationPath}`;
  const until = `works once, until ${expiresAt.toISOString()}`;
  return {
    json: { ...viewOf(user), signInUrl, expiresAt },
    text: `User ${user.id} (${roleText(user)}); the link ${until}\n${signInUrl}`,
  };
}

function listText(users: readonly User[]): string {
  const rows = users.map(({ id, email, name, role, clientId, teamRole }) => [
    id,
    email,
    name,
    role,
    clientId ?? '',
    teamRole ?? '',
  ]);
  return tableOf(['ID', 'E-MAIL', 'NAME', 'ROLE', 'CLIENT', 'TEAM ROLE'], rows, 'No users yet');
}

function viewOf({ id, email, role, clientId, teamRole }: User): Omit<User, 'name'> {
  return { id, email, role, clientId, teamRole };
}

function roleText({ role, teamRole }: User): string {
  return teamRole === null ? role : `${role}, ${teamRole}`;
}
