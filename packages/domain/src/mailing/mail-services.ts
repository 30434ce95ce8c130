import type { Mail } from '../mail/mail.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { Clock, Ids, Secrets } from '../runtime.ts';
import type { MailedLinks, MailRecipients, UserMails } from '../staff/mail-recipient.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import type { ReadAppearances } from '../subscription/manage-appearances.ts';
import type { Flows } from '../verification/flow.ts';
import type { Links } from '../verification/link.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import type { MailLimits } from './mail-budgets.ts';
import { createMailedLinks } from './mailed-links.ts';
import type { Mailer } from './mailer.ts';
import { createUserMails } from './queue-user-mails.ts';
import { createSendMails, type SendMails } from './send-mails.ts';
import { type TeamMailPorts, teamMails } from './team-mails.ts';

/** The use cases of mails. */
export interface MailServices {
  readonly userMails: UserMails;
  /** One-time links in mails. Undefined where none are mailed: they are passed on by hand. */
  readonly mailedLinks: MailedLinks | undefined;
  readonly sendMails: SendMails;
}

/** Creates the use cases of mails on their ports. */
export function createMailServices({
  mailer,
  recipients,
  manages,
  endpointsOf,
  keysOf,
  noteExpiringKeys,
  publicBaseUrl,
  ...ports
}: {
  readonly mails: MailQueue;
  readonly mailer: Mailer | undefined;
  readonly recipients: MailRecipients | undefined;
  readonly staff: ManageStaff | undefined;
  readonly manages: TeamMailPorts['manages'];
  readonly endpointsOf: TeamMailPorts['endpointsOf'];
  readonly keysOf: TeamMailPorts['keysOf'];
  /** Queues mails about keys that expire soon, and returns the number of keys. */
  readonly noteExpiringKeys: (
    mailsAbout: (key: { readonly clientId: string; readonly id: string }) => Promise<readonly Mail[]>,
  ) => Promise<number>;
  readonly clients: ClientRepository;
  readonly verifications: Pick<VerificationRepository, 'find'>;
  readonly appearances: Pick<ReadAppearances, 'shown'>;
  readonly flows: Flows;
  readonly links: Links;
  readonly publicBaseUrl: string;
  readonly limits: MailLimits;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly onFault: (fault: unknown) => void;
}): MailServices {
  const { mails, staff, clients, clock, ids, secrets } = ports;
  const links = recipients && createMailedLinks({ recipients, secrets, clock });
  const sendsToUsers = mailer !== undefined && recipients !== undefined;
  const teams: TeamMailPorts | undefined = recipients &&
    staff && { recipients, staff, clients, manages, endpointsOf, keysOf, publicBaseUrl, clock, ids };

  return {
    userMails: createUserMails({ mails, clock, ids }, { isOn: sendsToUsers }),
    mailedLinks: sendsToUsers ? links : undefined,
    sendMails: createSendMails({
      ...ports,
      mailer,
      teams,
      noteExpiringKeys: () =>
        noteExpiringKeys(async ({ clientId, id: targetId }) =>
          teams === undefined ? [] : teamMails(teams, 'team.key_expiring', { clientId, targetId }),
        ),
      users: recipients && links && { recipients, links, clients, publicBaseUrl },
    }),
  };
}
