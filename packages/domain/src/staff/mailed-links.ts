import type { Clock, Secrets } from '../runtime.ts';
import type { MailRecipient, MailRecipients } from './mail-recipients.ts';

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

const PAGES: Readonly<Record<LinkPurpose, string>> = {
  password: '/account/welcome',
  second_factor: '/account/lost-device',
};

/** The user, the end in milliseconds since 1970 in base 36, and the signature. */
const TOKEN = /^(?<userId>.{1,100})\.(?<end>[0-9a-z]{1,11})\.(?<signature>[\w-]{1,100})$/;

export function createMailedLinks({
  recipients,
  secrets,
  clock,
}: {
  readonly recipients: MailRecipients;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
  readonly clock: Clock;
}): MailedLinks {
  return {
    make(recipient, purpose, lifetimeMs) {
      const signed = signedText(recipient, purpose);
      if (signed === null) return null;
      const expiresAt = new Date(clock.now().getTime() + lifetimeMs);
      const end = expiresAt.getTime().toString(36);
      const token = `${recipient.user.id}.${end}.${secrets.sign(`${signed} ${end}`)}`;
      return { path: `${PAGES[purpose]}/${token}`, expiresAt };
    },

    async read(token, purpose) {
      const { userId, end, signature } = TOKEN.exec(token)?.groups ?? {};
      if (userId === undefined || end === undefined || signature === undefined) return null;
      if (Number.parseInt(end, 36) <= clock.now().getTime()) return null;
      const recipient = await recipients.findRecipient(userId);
      const signed = recipient && signedText(recipient, purpose);
      return signed !== null && secrets.verify(`${signed} ${end}`, signature) ? recipient : null;
    },
  };
}

/** Returns what a token signs, before its end; null if there is nothing to change. No other signed text begins like it. */
function signedText({ user, password, secondFactorMark }: MailRecipient, purpose: LinkPurpose): string | null {
  const mark = purpose === 'password' ? (password?.mark ?? 'none') : secondFactorMark;
  return mark === null ? null : `account link ${purpose} ${user.id} ${mark}`;
}
