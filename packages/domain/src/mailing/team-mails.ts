import type { Mail, MailKind } from '../mail/mail.ts';
import type { Clock, Ids } from '../runtime.ts';
import type { MailRecipients } from '../staff/mail-recipient.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { User } from '../staff/user.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import type { MailContent } from './mailer.ts';

/** The kinds of mail about something of a client that users of its team manage. */
export type TeamMailKind = Extract<MailKind, `team.${string}`>;

/** A mail to one user of a team. */
export type TeamMail = Mail & {
  readonly kind: TeamMailKind;
  readonly userId: string;
  readonly clientId: string;
  readonly targetId: string;
};

/** An endpoint, as a mail needs it. */
interface EndpointState {
  readonly id: string;
  readonly url: string;
  readonly state: string;
  readonly failingSince: Date | null;
}

/** An API key, as a mail needs it. */
interface ExpiringKey {
  readonly id: string;
  readonly name: string;
  readonly display: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface TeamMailPorts {
  readonly recipients: MailRecipients;
  readonly staff: Pick<ManageStaff, 'list'>;
  readonly clients: Pick<ClientRepository, 'find'>;
  readonly endpointsOf: (clientId: string) => Promise<readonly EndpointState[]>;
  readonly keysOf: (clientId: string) => Promise<readonly ExpiringKey[]>;
  /** Whether a user may manage what mails of the kind are about. */
  readonly manages: (kind: TeamMailKind, user: User, clientId: string) => boolean;
  readonly publicBaseUrl: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Makes mails about something of a client: one for each user who manages it and has joined. None for a test twin, which has no team. */
export async function teamMails(
  { staff, manages, clock, ids }: TeamMailPorts,
  kind: TeamMailKind,
  { clientId, targetId }: { readonly clientId: string; readonly targetId: string },
): Promise<readonly Mail[]> {
  const now = clock.now();
  const team = await staff.list({ clientId });
  return team
    .filter((user) => user.hasJoined && manages(kind, user, clientId))
    .map(({ id: userId }) => {
      const about = { clientId, verificationId: null, userId, targetId };
      return { id: ids.next(), kind, ...about, plannedAt: now, dueAt: now, attempts: 0, heldUntil: null };
    });
}

/**
 * Writes what a mail to a user of a team says, as of now. Null if there is nothing to say any more: the endpoint was resumed, the key
 * was revoked or has expired, or the user was removed or lost the right.
 */
export async function writeTeamMail(
  { recipients, clients, endpointsOf, keysOf, manages, publicBaseUrl, clock }: TeamMailPorts,
  { id: messageId, kind, userId, clientId, targetId }: TeamMail,
): Promise<MailContent | null> {
  const recipient = await recipients.findRecipient(userId);
  if (recipient === null || !manages(kind, recipient.user, clientId)) return null;
  const client = await clients.find(clientId);
  if (client === null) return null;
  const about = { messageId, to: recipient.user.email, locale: recipient.locale };
  const clientName = client.client.name;
  switch (kind) {
    case 'team.endpoint_paused': {
      const endpoint = (await endpointsOf(clientId)).find(({ id }) => id === targetId);
      // A user who pauses an endpoint knows it, and one that works again needs no mail.
      if (endpoint?.state !== 'paused' || endpoint.failingSince === null) return null;
      const url = `${publicBaseUrl}/dashboard/webhooks/${targetId}`;
      const values = { clientName, url, host: hostOf(endpoint.url), failingSince: endpoint.failingSince };
      return { ...about, kind, values };
    }
    case 'team.key_expiring': {
      const key = (await keysOf(clientId)).find(({ id }) => id === targetId);
      if (key === undefined || key.revokedAt !== null || key.expiresAt === null) return null;
      if (key.expiresAt <= clock.now()) return null;
      const { name, display, expiresAt } = key;
      const url = `${publicBaseUrl}/dashboard/keys`;
      return { ...about, kind, values: { clientName, url, keyName: name, keyDisplay: display, expiresAt } };
    }
    default:
      return kind satisfies never;
  }
}

/** Returns the host of an endpoint's URL. The rest of it may hold a secret, and a mail is not confidential. */
function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? '';
}
