import type { Mail } from '../mail/mail.ts';
import type { MailContent } from './mailer.ts';

/** What a mail says, as of now. */
export interface WrittenMail {
  readonly content: MailContent;
  /** The live client that causes it; null without one. */
  readonly clientId: string | null;
  /** Makes the mail to queue once this one was sent; null if there is none. */
  readonly next?: () => Mail | null;
}

/** Writes a mail. `moot`: there is nothing to say any more. `early`: its user may be created in a moment. */
export type WriteMail = (mail: Mail) => Promise<WrittenMail | 'moot' | 'early'>;
