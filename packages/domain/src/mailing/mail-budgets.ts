import { groupOf, type Mail, type MailGroup } from '../mail/mail.ts';
import type { MailBudget } from '../mail/mail-queue.ts';
import type { Secrets } from '../runtime.ts';
import { normalEmail } from '../staff/new-user.ts';

/** How many mails a recipient gets in a window, and how many of them because of one client. */
export interface MailLimit {
  readonly recipient: number;
  /** Lower than `recipient`: one client cannot use up what others, or the recipient, may need. */
  readonly client: number;
}

/** Mails to one recipient, by group. */
export type MailLimits = Readonly<Record<MailGroup, MailLimit>>;

/**
 * A day for what clients cause. An hour for `user.recipient`, of which requests for a new password can use three: a stranger cannot hold back
 * a user's new password for longer than that.
 */
const DAY_MS = 24 * 60 * 60 * 1000;
const WINDOW_MS: Readonly<Record<MailGroup, { readonly [K in keyof MailLimit]: number }>> = {
  verification: { recipient: DAY_MS, client: DAY_MS },
  user: { recipient: 60 * 60 * 1000, client: DAY_MS },
  team: { recipient: DAY_MS, client: DAY_MS },
};

/**
 * Mails to one recipient, unless the settings of the core say otherwise. A verification rarely has more than six in a day (link, renewed
 * links, a request, the result), and an invitation is renewed three times an hour at most.
 */
export const DEFAULT_MAIL_LIMITS: MailLimits = {
  verification: { recipient: 20, client: 10 },
  user: { recipient: 12, client: 6 },
  team: { recipient: 20, client: 10 },
};

/** A mail that is about to be sent. */
export interface Addressed {
  readonly kind: Mail['kind'];
  readonly to: string;
  /** The live client that causes the mail; null without one. */
  readonly clientId: string | null;
}

/**
 * Returns the budgets that a mail is taken from. Their names are keyed hashes of group, client and address, so the database cannot be
 * used to test addresses.
 */
export function budgetsOf(
  { kind, to, clientId }: Addressed,
  limits: MailLimits,
  secrets: Pick<Secrets, 'sign'>,
): readonly MailBudget[] {
  const group = groupOf({ kind });
  const recipient = mailboxOf(to);
  const budget = (counts: keyof MailLimit, whose: string): MailBudget => ({
    name: secrets.sign(`mail budget ${group} ${counts} ${whose}`),
    allowed: limits[group][counts],
    windowMs: WINDOW_MS[group][counts],
  });
  const ofRecipient = budget('recipient', recipient);
  return clientId === null ? [ofRecipient] : [budget('client', `${clientId} ${recipient}`), ofRecipient];
}

/** Returns an address in the form in which all that reach one mailbox are equal: lower case, without a tag (`ada+tag@example.org`, RFC 5233). */
function mailboxOf(address: string): string {
  return normalEmail(address).replace(/^([^+@]+)\+[^@]*@/, '$1@');
}
