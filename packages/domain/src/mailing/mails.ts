import { USER_MAILS, type UserMailKind, type UserMailValues } from '../staff/user-mails.ts';
import { SUBJECT_MAILS, type SubjectMails } from '../verification/subject-mails.ts';
import { TEAM_MAILS, type TeamMails } from './team-mails.ts';

/** What each mail says, by kind. */
export type MailValues = SubjectMails & Readonly<Record<UserMailKind, UserMailValues>> & TeamMails;

/** What a mail is about: one of `MAIL_KINDS`. */
export type MailKind = keyof MailValues;

/**
 * The kinds of mail that this version sends. A mail of another kind, which a newer version queued, stays in the queue for that
 * version.
 */
export const MAIL_KINDS: readonly MailKind[] = Object.keys({
  ...SUBJECT_MAILS,
  ...USER_MAILS,
  ...TEAM_MAILS,
}) as MailKind[];
