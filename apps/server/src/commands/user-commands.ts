import { STAFF_ROLES, type StaffMember, type StaffRole } from '@countersign/domain';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { openStaffAdministration, type StaffAdministration } from '../composition/staff-administration.ts';
import { readLinkSettings } from '../config/environment.ts';
import type { CommandContext } from './command-context.ts';
import { EXIT } from './failure.ts';
import { tableOf } from './table.ts';

interface CreateOptions {
  readonly email: string;
  readonly role: StaffRole;
  readonly client?: string;
  readonly name?: string;
}

/** A one-time link, which is shown once. */
interface Link {
  readonly member: StaffMember;
  readonly invitationPath: string;
  readonly expiresAt: Date;
}

/** `user create`, `user invite`, `user list`, `user reset-second-factor` and `user remove`. */
export function addUserCommands(program: Command, context: CommandContext): void {
  const user = program.command('user').description('people who sign in: staff of clients, reviewers, operators');

  user
    .command('create')
    .description('make an account, and a link with which its owner sets a password, once and within 24 hours')
    .requiredOption('--email <address>', 'they sign in with it')
    .addOption(new Option('--role <role>', 'what they may do').choices(STAFF_ROLES).makeOptionMandatory())
    .option('--client <id>', 'whom they belong to; with the role client, and with no other')
    .option('--name <name>', 'as histories call them; left out, the first part of the address')
    .action(({ email, role, client, name }: CreateOptions) => {
      if (role === 'client' && client === undefined) {
        throw new InvalidArgumentError("option '--client <id>' is needed with the role client");
      }
      if (role !== 'client' && client !== undefined) {
        throw new InvalidArgumentError("option '--client <id>' belongs to the role client");
      }
      return administerStaff(context, async ({ staff, clients }, publicBaseUrl) => {
        if (client !== undefined) await clients.get(client);
        const made = await staff.create({ email, role, clientId: client, name });
        if (made.outcome === 'exists') {
          return refuse(context, 'somebody has an account with this e-mail already: user invite makes a new link');
        }
        answerLink(context, made, publicBaseUrl);
      });
    });

  user
    .command('invite')
    .description('make a new link for somebody who lost theirs, or forgot the password; the one before ends')
    .requiredOption('--email <address>', 'whose account')
    .action(({ email }: { email: string }) =>
      administerStaff(context, async ({ staff }, publicBaseUrl) => {
        const link = await staff.invite(email);
        if (link === null) return refuse(context, NOBODY);
        answerLink(context, link, publicBaseUrl);
      }),
    );

  user
    .command('reset-second-factor')
    .description('for somebody who lost the device and the backup codes: the password alone lets them in again')
    .requiredOption('--email <address>', 'whose account')
    .action(({ email }: { email: string }) =>
      administerStaff(context, async ({ staff }) =>
        answerMember(context, await staff.resetSecondFactor(email), 'has no second factor and is signed out'),
      ),
    );

  user
    .command('remove')
    .description('for somebody who left: they are signed out, and the account is gone')
    .requiredOption('--email <address>', 'whose account')
    .action(({ email }: { email: string }) =>
      administerStaff(context, async ({ staff }) =>
        answerMember(context, await staff.remove(email), 'is removed'),
      ),
    );

  user
    .command('list')
    .description('everybody who has an account, oldest first')
    .action(() =>
      administerStaff(context, async ({ staff }) => {
        const members = await staff.list();
        context.answer(members, listText(members));
      }),
    );
}

const NOBODY = 'nobody has an account with this e-mail: user create makes one';

function answerMember(context: CommandContext, member: StaffMember | null, what: string): void {
  if (member === null) {
    refuse(context, NOBODY);
    return;
  }
  const { id, email, role, clientId } = member;
  context.answer({ id, email, role, clientId }, `User ${id} (${role}) ${what}`);
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

function answerLink(
  context: CommandContext,
  { member, invitationPath, expiresAt }: Link,
  publicBaseUrl: string,
): void {
  const { id, email, role, clientId } = member;
  const signInUrl = `${publicBaseUrl}${invitationPath}`;
  const until = `works once, until ${expiresAt.toISOString()}`;
  context.answer(
    { id, email, role, clientId, signInUrl, expiresAt },
    `User ${id} (${role}); the link ${until}\n${signInUrl}`,
  );
}

function refuse(context: CommandContext, line: string): void {
  context.err(`countersign: ${line}\n`);
  context.exitCode = EXIT.failed;
}

function listText(members: readonly StaffMember[]): string {
  const rows = members.map(({ id, email, name, role, clientId }) => [id, email, name, role, clientId ?? '']);
  return tableOf(['ID', 'E-MAIL', 'NAME', 'ROLE', 'CLIENT'], rows, 'No users yet');
}
