/** E-mail: the port that sends it and what each mail says. */

export { MAIL_KINDS, type MailKind } from '../mail/mail.ts';
export {
  DEFAULT_MAIL_LIMITS,
  type MailGroup,
  type MailLimit,
  type MailLimits,
} from '../mailing/mail-budgets.ts';
export type {
  MailContent,
  Mailer,
  MailOutcome,
  TeamMailValues,
  UserMailValues,
  VerificationMailValues,
} from '../mailing/mailer.ts';
export type { SendMails, SentMails } from '../mailing/send-mails.ts';
export type { MailRecipient, MailRecipients } from '../staff/mail-recipient.ts';
