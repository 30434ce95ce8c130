import type { OneTimeLink, User } from '@countersign/domain';
import type { CommandContext } from './command-context.ts';
import { EXIT } from './failure.ts';
import { tableOf } from './table.ts';

/** Says what became of somebody. */
export function answerUser(context: CommandContext, user: User, what: string): void {
  context.answer(viewOf(user), `User ${user.id} (${roleText(user)}) ${what}`);
}

/** Shows a one-time link, once. */
export function answerLink(
  context: CommandContext,
  { user, invitationPath, expiresAt }: OneTimeLink,
  publicBaseUrl: string,
): void {
  const signInUrl = `${publicBaseUrl}${invitationPath}`;
  const until = `works once, until ${expiresAt.toISOString()}`;
  context.answer(
    { ...viewOf(user), signInUrl, expiresAt },
    `User ${user.id} (${roleText(user)}); the link ${until}\n${signInUrl}`,
  );
}

/** One line instead of an answer. */
export function refuse(context: CommandContext, line: string): void {
  context.err(`countersign: ${line}\n`);
  context.exitCode = EXIT.failed;
}

/** Everybody, as JSON and as a table. */
export function answerList(context: CommandContext, members: readonly User[]): void {
  const views = members.map(({ id, email, name, role, clientId, teamRole }) => {
    return { id, email, name, role, clientId, teamRole };
  });
  context.answer(views, listText(members));
}

function listText(members: readonly User[]): string {
  const rows = members.map(({ id, email, name, role, clientId, teamRole }) => [
    id,
    email,
    name,
    role,
    clientId ?? '',
    teamRole ?? '',
  ]);
  return tableOf(['ID', 'E-MAIL', 'NAME', 'ROLE', 'CLIENT', 'TEAM ROLE'], rows, 'No users yet');
}

/** What JSON tells of somebody. */
function viewOf({ id, email, role, clientId, teamRole }: User): Omit<User, 'name'> {
  return { id, email, role, clientId, teamRole };
}

function roleText({ role, teamRole }: User): string {
  return teamRole === null ? role : `${role}, ${teamRole}`;
}
