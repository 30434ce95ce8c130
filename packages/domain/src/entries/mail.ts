/** E-mail: the port that sends it and what each mail says. */

export { groupOf, type MailGroup } from '../mail/mail.ts';
export {
  DEFAULT_MAIL_LIMITS,
  type MailLimit,
  type MailLimits,
} from '../mailing/mail-budgets.ts';
export type { MailContent, Mailer, MailOutcome } from '../mailing/mailer.ts';
export { MAIL_KINDS, type MailKind, type MailValues } from '../mailing/mails.ts';
export type { SendMails, SentMails } from '../mailing/send-mails.ts';
export type { TeamMailValues } from '../mailing/team-mails.ts';
export type { MailRecipient, MailRecipients } from '../staff/mail-recipient.ts';
export type { UserMailValues } from '../staff/user-mails.ts';
export type { MailLogo, VerificationMailValues } from '../verification/subject-mails.ts';
