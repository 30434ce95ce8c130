import type { User } from './user.ts';

/** What a mail to a user needs to know about them. */
export interface MailRecipient {
  readonly user: User;
  /** The language of the pages on which they last signed in, or of the user who invited them; null if it is not known. */
  readonly locale: string | null;
  /** Whether the address may belong to another person (`UserIdentities.hasUnverifiedEmail`). */
  readonly hasUnverifiedEmail: boolean;
  /**
   * Marks what a link to a new password replaces, and reveals nothing of it. Null until the user joins, and never again: it changes with
   * each new password, and when identities are connected, withdrawn or disconnected.
   */
  readonly passwordMark: string | null;
  /** When the password was set, or the first identity connected; null with neither. */
  readonly passwordSetAt: Date | null;
  /**
   * Null without a confirmed one. `mark` changes with each new one and reveals nothing of it. `setAt` is null for one that an earlier
   * version set up.
   */
  readonly secondFactor: { readonly mark: string; readonly setAt: Date | null } | null;
}

/** Reads users for mails to them. */
export interface MailRecipients {
  /** Null for an unknown or removed user. The id is untrusted text. */
  findRecipient(userId: string): Promise<MailRecipient | null>;
  /** Stores the language of a user. Changes nothing for an unknown one. */
  keepLocale(userId: string, locale: string): Promise<void>;
}

/** What a mailed link changes: it sets a password, or removes the second factor. */
export type LinkPurpose = 'password' | 'second_factor';

/** A one-time link for a mail, as a path below the service's address. */
export interface MailedLink {
  readonly path: string;
  readonly expiresAt: Date;
}

/**
 * One-time links that users receive by mail. Nothing is stored: the token names user and end, and signs them together with the
 * mark of what it replaces. It works until that changes, so the first use ends every link to the same thing, and two mails about
 * it do not end each other's links.
 */
export interface MailedLinks {
  /** Null if there is nothing that the link could change. */
  make(recipient: MailRecipient, purpose: LinkPurpose, lifetimeMs: number): MailedLink | null;
  /** Returns the user of a link. Null for one that was used, has expired, or was made for another purpose or by another service. */
  read(token: string, purpose: LinkPurpose): Promise<MailRecipient | null>;
}
