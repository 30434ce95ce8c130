import { type Mail, newMail } from '../mail/mail.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { Secrets } from '../runtime.ts';
import type { MailedLinks, MailRecipients } from '../staff/mail-recipient.ts';
import type { QueueUserMails } from '../staff/user-mails.ts';
import type { MailLimits } from './mail-budgets.ts';
import { createMailedLinks } from './mailed-links.ts';
import type { Mailer } from './mailer.ts';
import { createSendMails, type SendMails } from './send-mails.ts';
import type { TeamMails } from './team-mails.ts';
import { createWriteSubjectMail } from './write-subject-mail.ts';
import { createWriteTeamMail, teamMails } from './write-team-mail.ts';
import { createWriteUserMail } from './write-user-mail.ts';
import type { MailPorts, WriteMail } from './written-mail.ts';

/** The use cases of mails. */
export interface MailServices {
  readonly userMails: QueueUserMails;
  /** One-time links in mails. Undefined where none are mailed: they are passed on by hand. */
  readonly mailedLinks: MailedLinks | undefined;
  readonly sendMails: SendMails;
}

const NOTHING_TO_SAY: WriteMail = async () => 'moot';

/** Creates the use cases of mails on their ports. */
export function createMailServices({
  recipients,
  noteExpiringKeys,
  ...ports
}: MailPorts & {
  readonly mails: MailQueue;
  readonly mailer: Mailer | undefined;
  /** Undefined in a service without accounts. */
  readonly recipients: MailRecipients | undefined;
  /** Queues mails about keys that expire soon, and returns the number of keys. */
  readonly noteExpiringKeys: (
    mailsAbout: (key: { readonly clientId: string; readonly id: string }) => Promise<readonly Mail[]>,
  ) => Promise<number>;
  readonly limits: MailLimits;
  readonly secrets: Secrets;
  readonly onFault: (fault: unknown) => void;
}): MailServices {
  const { mails, mailer, staff, clock, ids } = ports;
  const links = recipients && createMailedLinks({ ...ports, recipients });
  const isOn = mailer !== undefined && recipients !== undefined;
  const sendsToTeams = isOn && staff !== undefined;

  /** Makes the mails about something of a client to the users who manage it. */
  const mailsAbout =
    (kind: keyof TeamMails) =>
    async ({ clientId, id: targetId }: { readonly clientId: string; readonly id: string }) =>
      sendsToTeams ? teamMails({ staff, clock, ids }, kind, { clientId, targetId }) : [];

  return {
    userMails: {
      isOn,
      async queue(kind, userId) {
        if (!isOn) throw new Error('this service sends no mails to users');
        await mails.add([newMail({ id: ids.next(), kind, at: clock.now(), userId })]);
      },
    },
    mailedLinks: isOn ? links : undefined,
    sendMails: {
      isOn: mailer !== undefined,
      sendsToUsers: isOn,
      queueKeyNotices: async () => (sendsToTeams ? noteExpiringKeys(mailsAbout('team.key_expiring')) : 0),
      aboutPause: mailsAbout('team.endpoint_paused'),
      ...createSendMails({
        ...ports,
        writers: {
          verification: createWriteSubjectMail(ports),
          user: recipients && links ? createWriteUserMail(ports, recipients, links) : NOTHING_TO_SAY,
          team: recipients && staff ? createWriteTeamMail(ports, recipients) : NOTHING_TO_SAY,
        },
      }),
    },
  };
}
