import type { Clock, Secrets } from '../runtime.ts';
import type { LinkPurpose, MailedLinks, MailRecipient, MailRecipients } from '../staff/mail-recipient.ts';

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
function signedText({ user, passwordMark, secondFactor }: MailRecipient, purpose: LinkPurpose): string | null {
  const mark = purpose === 'password' ? (passwordMark ?? 'none') : (secondFactor?.mark ?? null);
  return mark === null ? null : `account link ${purpose} ${user.id} ${mark}`;
}
