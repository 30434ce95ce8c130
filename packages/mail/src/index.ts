export { type FailedAttempt, MAIL_FAILURES, type MailFailure } from './failure.ts';
export {
  createSmtpMailer,
  type MailAttempt,
  type MailDeadlines,
  type MailSender,
  type MailServer,
  type SmtpMailer,
  type SmtpMailerOptions,
} from './smtp-mailer.ts';
