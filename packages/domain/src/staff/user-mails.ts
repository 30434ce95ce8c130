import type { LinkPurpose, MailRecipient } from './mail-recipient.ts';
import { INVITATION_LIFETIME_MS } from './manage-staff.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

/** What every mail with a one-time link for a user says. */
export interface UserMailValues {
  /** The client whose team the user belongs to; null for reviewers and operators. */
  readonly clientName: string | null;
  /** The one-time link. It grants access. */
  readonly url: string;
  /** When the link stops working. */
  readonly linkExpiresAt: Date;
}

/** The kinds of mail that a user receives for a change of their own account. */
export type UserMailKind = 'user.invitation' | 'user.password_reset' | 'user.second_factor_reset';

/** A mail to one user about their own account, with a one-time link. */
interface UserMail {
  readonly link: LinkPurpose;
  readonly linkLifetimeMs: number;
  /** How long the mail waits for a user who is not created yet. */
  readonly waitsForUserMs: number;
  /** Whether the user's client causes it, so that it counts for the client. */
  readonly countsForClient: boolean;
  /**
   * Returns the kind of mail that is sent; null if there is nothing to send: the user has done what the mail asks for since it was planned, or
   * may not get the link by mail.
   */
  readonly sentAs: (recipient: MailRecipient, plannedAt: Date) => UserMailKind | null;
}

/** The mails to users about their own account. */
export const USER_MAILS: Readonly<Record<UserMailKind, UserMail>> = {
  'user.invitation': {
    link: 'password',
    linkLifetimeMs: INVITATION_LIFETIME_MS,
    // It is queued before its user is created. If there is no user by then, the creation was refused or never ended.
    waitsForUserMs: 10 * MINUTE_MS,
    // Also when anyone asks for the mail again: a team can invite many tags of one mailbox.
    countsForClient: true,
    sentAs: ({ passwordSetAt }) => (passwordSetAt === null ? 'user.invitation' : null),
  },
  'user.password_reset': {
    link: 'password',
    // A person who asks for it reads the mail soon.
    linkLifetimeMs: HOUR_MS,
    waitsForUserMs: 0,
    // Anyone can ask for another's new password.
    countsForClient: false,
    sentAs({ hasUnverifiedEmail, passwordSetAt }, plannedAt) {
      // The mailbox may belong to another person, who would get access to the account.
      if (hasUnverifiedEmail) return null;
      // A user who has not joined gets the invitation again.
      if (passwordSetAt === null) return 'user.invitation';
      return passwordSetAt > plannedAt ? null : 'user.password_reset';
    },
  },
  'user.second_factor_reset': {
    link: 'second_factor',
    // Operators begin the reset, so the person may read the mail later. The link needs the password too.
    linkLifetimeMs: 24 * HOUR_MS,
    waitsForUserMs: 0,
    countsForClient: false,
    sentAs({ secondFactor }, plannedAt) {
      if (secondFactor === null) return null;
      return (secondFactor.setAt ?? plannedAt) > plannedAt ? null : 'user.second_factor_reset';
    },
  },
};

/** Queues mails to users. One to a user who does not exist is dropped when it is sent. */
export interface QueueUserMails {
  /** Whether this service sends mails to users. Without it, links are passed on by hand, and `queue` rejects. */
  readonly isOn: boolean;
  queue(kind: UserMailKind, userId: string): Promise<void>;
}
