import type { LinkPurpose, MailedLinks, MailRecipient, MailRecipients } from '../staff/mail-recipient.ts';
import { INVITATION_LIFETIME_MS } from '../staff/manage-staff.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import type { MailContent } from './mailer.ts';
import type { UserMail, UserMailKind } from './queue-user-mails.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

/** An invitation is queued before its user is created. If there is no user by then, the creation was refused or never ended. */
const CREATED_WITHIN_MS = 10 * MINUTE_MS;

/** How long the link to a new password works: a person who asks for it reads the mail at once. */
const RESET_LIFETIME_MS = HOUR_MS;

/**
 * How long the link that removes a second factor works. Operators begin the reset, so the person may read the mail later. It needs the
 * password too.
 */
const SECOND_FACTOR_LIFETIME_MS = 24 * HOUR_MS;

/**
 * What a mail says, and the client that causes it. Only invitations are caused by a client, those that anyone asks for again included:
 * a team can invite many tags of one mailbox. Anyone can ask for another's new password.
 * `moot`: there is nothing to say any more. `early`: its user may be created in a moment.
 */
export type Written = { readonly content: MailContent; readonly clientId: string | null } | 'moot' | 'early';

export interface UserMailPorts {
  readonly recipients: MailRecipients;
  readonly links: MailedLinks;
  readonly clients: Pick<ClientRepository, 'find'>;
  readonly publicBaseUrl: string;
}

/** Writes what a mail to a user says, as of now, with a new one-time link. */
export async function writeUserMail(
  { recipients, links, clients, publicBaseUrl }: UserMailPorts,
  mail: UserMail,
  now: Date,
): Promise<Written> {
  const recipient = await recipients.findRecipient(mail.userId);
  if (recipient === null) {
    const mayCome =
      mail.kind === 'user.invitation' && now.getTime() - mail.plannedAt.getTime() < CREATED_WITHIN_MS;
    return mayCome ? 'early' : 'moot';
  }
  const planned = planOf(mail, recipient);
  if (planned === null) return 'moot';
  const link = links.make(recipient, planned.purpose, planned.lifetimeMs);
  if (link === null) return 'moot';
  const { user, locale } = recipient;
  const client = user.clientId === null ? null : await clients.find(user.clientId);
  const values = {
    clientName: client?.client.name ?? null,
    url: `${publicBaseUrl}${link.path}`,
    linkExpiresAt: link.expiresAt,
  };
  return {
    content: { kind: planned.kind, messageId: mail.id, to: user.email, locale, values },
    clientId: planned.kind === 'user.invitation' ? user.clientId : null,
  };
}

interface Planned {
  readonly kind: UserMailKind;
  readonly purpose: LinkPurpose;
  readonly lifetimeMs: number;
}

/** Decides which link a mail has; null if there is nothing to send: the user has meanwhile done what the mail asks for, or may not get the link by mail. */
function planOf(
  { kind, plannedAt }: UserMail,
  { hasUnverifiedEmail, passwordSetAt, secondFactor }: MailRecipient,
): Planned | null {
  switch (kind) {
    case 'user.invitation':
      return passwordSetAt === null ? { kind, purpose: 'password', lifetimeMs: INVITATION_LIFETIME_MS } : null;
    case 'user.password_reset':
      // The mailbox may belong to another person, who would get access to the account.
      if (hasUnverifiedEmail) return null;
      // Who has not joined gets the invitation again.
      if (passwordSetAt === null)
        return { kind: 'user.invitation', purpose: 'password', lifetimeMs: INVITATION_LIFETIME_MS };
      if (passwordSetAt > plannedAt) return null;
      return { kind, purpose: 'password', lifetimeMs: RESET_LIFETIME_MS };
    case 'user.second_factor_reset':
      if (secondFactor === null || (secondFactor.setAt !== null && secondFactor.setAt > plannedAt)) return null;
      return { kind, purpose: 'second_factor', lifetimeMs: SECOND_FACTOR_LIFETIME_MS };
    default:
      return kind satisfies never;
  }
}
