import type { MailKind, MailValues } from './mails.ts';

interface ContentOf<K extends MailKind> {
  readonly kind: K;
  /** The same for every attempt: the part of the `Message-ID` before the `@`. */
  readonly messageId: string;
  /** One plain address. */
  readonly to: string;
  /** A language tag, which may name any language; null without one. */
  readonly locale: string | null;
  readonly values: MailValues[K];
}

/** What a mail says and to whom. The mailer decides how. */
export type MailContent<K extends MailKind = MailKind> = { readonly [Each in K]: ContentOf<Each> }[K];

/** Returns the content of a mail. The entry of a kind ties its values to it, which the compiler cannot follow. */
export function contentOf(content: ContentOf<MailKind>): MailContent {
  return content as MailContent;
}

/**
 * The result of an attempt.
 * `accepted`: a mail server has the mail.
 * `refused`: a mail server refused this mail, for good (`permanent`) or for now.
 * `unavailable`: no mail server decided about it: it cannot be reached, refuses the sign-in or does not answer.
 */
export type MailOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused'; readonly permanent: boolean }
  | { readonly outcome: 'unavailable' };

/** Sends mails. */
export interface Mailer {
  /**
   * Writes the mail and sends it once, within a minute. Never logs addresses and texts. May be called several times at once.
   * A rejection counts as refused for now.
   */
  send(content: MailContent): Promise<MailOutcome>;
}
