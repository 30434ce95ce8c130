import { type Mail, newMail } from '../mail/mail.ts';
import type { MailRecipients } from '../staff/mail-recipient.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import { roleHas } from '../staff/team-rights.ts';
import type { User } from '../staff/user.ts';
import { contentOf } from './mailer.ts';
import { TEAM_MAILS, type TeamMails, type TeamMailTarget } from './team-mails.ts';
import type { MailPorts, WriteMail } from './written-mail.ts';

/** Makes mails about something of a client: one for each user who manages it and has joined. None for a test twin, which has no team. */
export async function teamMails(
  { staff, clock, ids }: Pick<MailPorts, 'clock' | 'ids'> & { readonly staff: Pick<ManageStaff, 'list'> },
  kind: keyof TeamMails,
  { clientId, targetId }: TeamMailTarget,
): Promise<readonly Mail[]> {
  const at = clock.now();
  const team = await staff.list({ clientId });
  return team
    .filter((user) => user.hasJoined && manages(user, kind, clientId))
    .map(({ id: userId }) => newMail({ id: ids.next(), kind, at, clientId, userId, targetId }));
}

/** Creates the function that writes mails to users of a team, unless they were removed or have lost the right. */
export function createWriteTeamMail(ports: MailPorts, recipients: MailRecipients): WriteMail {
  const { clients, sources, publicBaseUrl, clock } = ports;

  return async ({ id: messageId, kind: queued, userId, clientId, targetId }) => {
    if (userId === null || clientId === null || targetId === null) return 'moot';
    const kind = queued as keyof TeamMails;
    const recipient = await recipients.findRecipient(userId);
    if (recipient === null || !manages(recipient.user, kind, clientId)) return 'moot';
    const client = await clients.find(clientId);
    if (client === null) return 'moot';

    const target = { clientId, targetId };
    const { page, facts } = TEAM_MAILS[kind];
    const found = await facts(sources, target, clock.now());
    if (found === null) return 'moot';
    const { user, locale } = recipient;
    const values = { clientName: client.client.name, url: `${publicBaseUrl}${page(target)}`, ...found };
    return { content: contentOf({ kind, messageId, to: user.email, locale, values }), clientId };
  };
}

function manages({ clientId, teamRole }: User, kind: keyof TeamMails, ofClient: string): boolean {
  return clientId === ofClient && roleHas(teamRole, TEAM_MAILS[kind].right);
}
