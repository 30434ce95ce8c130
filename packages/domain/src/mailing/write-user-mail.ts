import type { MailedLinks, MailRecipients } from '../staff/mail-recipient.ts';
import { USER_MAILS, type UserMailKind } from '../staff/user-mails.ts';
import { contentOf } from './mailer.ts';
import type { MailPorts, WriteMail } from './written-mail.ts';

/** Creates the function that writes mails to users about their own account, each with a new one-time link. */
export function createWriteUserMail(
  { clients, publicBaseUrl, clock }: MailPorts,
  recipients: MailRecipients,
  links: MailedLinks,
): WriteMail {
  return async ({ id: messageId, kind: queued, userId, plannedAt }) => {
    if (userId === null) return 'moot';
    const { waitsForUserMs, sentAs } = USER_MAILS[queued as UserMailKind];
    const waitedMs = clock.now().getTime() - plannedAt.getTime();
    const recipient = await recipients.findRecipient(userId);
    if (recipient === null) return waitedMs < waitsForUserMs ? 'early' : 'moot';

    const kind = sentAs(recipient, plannedAt);
    if (kind === null) return 'moot';
    const { link: purpose, linkLifetimeMs, countsForClient } = USER_MAILS[kind];
    const link = links.make(recipient, purpose, linkLifetimeMs);
    if (link === null) return 'moot';
    const { user, locale } = recipient;
    const client = user.clientId === null ? null : await clients.find(user.clientId);
    const url = `${publicBaseUrl}${link.path}`;
    const values = { clientName: client?.client.name ?? null, url, linkExpiresAt: link.expiresAt };
    return {
      content: contentOf({ kind, messageId, to: user.email, locale, values }),
      clientId: countsForClient ? user.clientId : null,
    };
  };
}
