import {
  changeUserRole,
  createUser,
  getUser,
  inviteUser,
  isCountersignError,
  listUsers,
  type NewRole,
  removeUser,
  resetSecondFactor,
  SERVICE_ROLES,
  type ServiceRole,
  STAFF_ROLES,
  type StaffRole,
  TEAM_ROLES,
  type TeamRole,
  type User,
} from '@countersign/domain';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { openStaffAdministration, type StaffAdministration } from '../composition/administration.ts';
import { readLinkSettings } from '../config/environment.ts';
import type { CommandContext } from './command-context.ts';
import { answerLink, answerList, answerUser, refuse } from './user-answers.ts';

interface CreateOptions {
  readonly email: string;
  readonly role: StaffRole;
  readonly client?: string;
  readonly teamRole?: TeamRole;
  readonly name?: string;
}

interface RoleOptions {
  readonly email: string;
  readonly role?: ServiceRole;
  readonly teamRole?: TeamRole;
}

/** `user create`, `user invite`, `user set-role`, `user reset-second-factor`, `user remove` and `user list`. */
export function addUserCommands(program: Command, context: CommandContext): void {
  const user = program.command('user').description('people who sign in: staff of clients, reviewers, operators');

  user
    .command('create')
    .description('make an account, and a link with which its owner sets a password, once and within 24 hours')
    .requiredOption('--email <address>', 'they sign in with it')
    .addOption(new Option('--role <role>', 'what they may do').choices(STAFF_ROLES).makeOptionMandatory())
    .option('--client <id>', 'whom they belong to; with the role client, and with no other')
    .addOption(teamRoleOption('what they may do in the team of their client; left out, owner'))
    .option('--name <name>', 'as histories call them; left out, the first part of the address')
    .action(({ email, role, client, teamRole, name }: CreateOptions) => {
      return administerStaff(context, async ({ run }, publicBaseUrl) => {
        try {
          const made = await run(createUser, { email, role, clientId: client, teamRole, name });
          answerLink(context, made, publicBaseUrl);
        } catch (error) {
          if (!isCountersignError(error, 'USER_EXISTS')) throw error;
          refuse(context, 'somebody has an account with this e-mail already: user invite makes a new link');
        }
      });
    });

  user
    .command('invite')
    .description('make a new link for somebody who lost theirs, or forgot the password; the one before ends')
    .requiredOption('--email <address>', 'whose account')
    .action(({ email }: { email: string }) =>
      administerUser(context, email, async ({ run }, { id }, publicBaseUrl) =>
        answerLink(context, await run(inviteUser, { userId: id }), publicBaseUrl),
      ),
    );

  user
    .command('set-role')
    .description(
      'change what somebody may do, from their next request on; staff of clients stay with their clients',
    )
    .requiredOption('--email <address>', 'whose account')
    .addOption(
      new Option('--role <role>', 'for reviewers and operators').choices(SERVICE_ROLES).conflicts('teamRole'),
    )
    .addOption(teamRoleOption('for staff of a client'))
    .action(({ email, ...options }: RoleOptions) => {
      const to = newRole(options);
      return administerUser(context, email, async ({ run }, { id }) => {
        await run(changeUserRole, { userId: id, ...to });
        answerUser(context, await run(getUser, { userId: id }), 'has this role now');
      });
    });

  user
    .command('reset-second-factor')
    .description('for somebody who lost the device and the backup codes: the password alone lets them in again')
    .requiredOption('--email <address>', 'whose account')
    .action(({ email }: { email: string }) =>
      administerUser(context, email, async ({ run }, { id }) =>
        answerUser(
          context,
          await run(resetSecondFactor, { userId: id }),
          'has no second factor and is signed out',
        ),
      ),
    );

  user
    .command('remove')
    .description('for somebody who left: they are signed out, and the account is gone')
    .requiredOption('--email <address>', 'whose account')
    .action(({ email }: { email: string }) =>
      administerUser(context, email, async ({ run }, user) =>
        answerUser(context, await run(removeUser, { userId: user.id, email: user.email }), 'is removed'),
      ),
    );

  user
    .command('list')
    .description('everybody who has an account, oldest first')
    .action(() => administerStaff(context, async ({ run }) => answerList(context, await run(listUsers, {}))));
}

function teamRoleOption(description: string): Option {
  return new Option('--team-role <role>', description).choices(TEAM_ROLES);
}

function newRole({ role, teamRole }: Omit<RoleOptions, 'email'>): NewRole {
  if (teamRole !== undefined) return { role: 'client', teamRole };
  if (role !== undefined) return { role };
  throw new InvalidArgumentError("option '--role <role>' or '--team-role <role>' is needed");
}

const NOBODY = 'nobody has an account with this e-mail: user create makes one';

/** Works on whoever has this e-mail, and says so where nobody has. */
function administerUser(
  context: CommandContext,
  email: string,
  work: (administration: StaffAdministration, user: User, publicBaseUrl: string) => Promise<void>,
): Promise<void> {
  return administerStaff(context, async (administration, publicBaseUrl) => {
    const user = await administration.findByEmail(email);
    if (user === null) return refuse(context, NOBODY);
    return work(administration, user, publicBaseUrl);
  });
}

async function administerStaff(
  context: CommandContext,
  work: (administration: StaffAdministration, publicBaseUrl: string) => Promise<void>,
): Promise<void> {
  const settings = readLinkSettings(context.environment);
  const administration = await openStaffAdministration(settings);
  try {
    await work(administration, settings.publicBaseUrl);
  } finally {
    await administration.close();
  }
}
