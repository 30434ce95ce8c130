import type { User } from './user.ts';

/** What a mail to a user needs to know about them. */
export interface MailRecipient {
  readonly user: User;
  /** The language of the pages on which they last signed in, or of the user who invited them; null if it is not known. */
  readonly locale: string | null;
  /** Null until they set one. `mark` changes with each new password and reveals nothing of it. */
  readonly password: { readonly mark: string; readonly setAt: Date } | null;
  /** Changes with each new second factor and reveals nothing of it; null without a confirmed one. */
  readonly secondFactorMark: string | null;
}

/** Reads users for mails to them. */
export interface MailRecipients {
  /** Null for an unknown or removed user. The id is untrusted text. */
  findRecipient(userId: string): Promise<MailRecipient | null>;
  /** Stores the language of a user. Changes nothing for an unknown one. */
  keepLocale(userId: string, locale: string): Promise<void>;
}
