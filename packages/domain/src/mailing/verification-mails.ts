import type { Mail, MailKind } from '../mail/mail.ts';
import type { ShownAppearance } from '../subscription/manage-appearances.ts';
import type { Links } from '../verification/link.ts';
import { aboutVerification } from '../verification/subject-mails.ts';
import type { Verification } from '../verification/verification.ts';
import type { MailContent, VerificationMailValues } from './mailer.ts';

/** The kinds of mail about a verification. */
export type VerificationMailKind = Extract<MailKind, `verification.${string}`>;

/** A mail about a verification. */
export type VerificationMail = Mail & { readonly kind: VerificationMailKind };

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Days from the mail with the link to the reminder. Most subjects answer within two days or not at all, and one reminder in the same
 * week is not a nuisance.
 */
const REMINDER_AFTER_DAYS = 3;

/** Days that a link must still work when its subject is reminded, so that they can act when they read it a day later. */
const REMINDER_BEFORE_END_DAYS = 1;

/**
 * Writes what a mail about a verification says, as of now. Null if there is nothing to say any more: the subject has done what the
 * mail asks for, the verification was withdrawn or has expired, or its data is erased or hidden. A hold changes nothing: a
 * mail that is missing would reveal it.
 */
export function contentOf(
  mail: Pick<VerificationMail, 'id' | 'kind'>,
  verification: Verification,
  { appearance, links, now }: { readonly appearance: ShownAppearance; readonly links: Links; readonly now: Date },
): MailContent | null {
  const { id, type: subjectType, notify, locale, link, erasureRequestedAt, erasedAt } = verification;
  if (notify === null || erasureRequestedAt !== null || erasedAt !== null) return null;
  const about = { messageId: mail.id, to: notify.email, locale };
  const linkExpiresAt = link.expiresAt;
  const values: VerificationMailValues = {
    clientName: appearance.name,
    supportAddress: appearance.supportAddress,
    subjectType,
    url: links.url(id, link.version),
    linkExpiresAt,
  };

  switch (mail.kind) {
    case 'verification.link':
    case 'verification.link_renewed':
      return isOpen(verification) && linkExpiresAt > now ? { ...about, kind: mail.kind, values } : null;
    case 'verification.reminder':
      return verification.status === 'pending' && remindsInTime(linkExpiresAt, now)
        ? { ...about, kind: mail.kind, values }
        : null;
    case 'verification.action_needed': {
      if (verification.status !== 'action_needed' || linkExpiresAt <= now) return null;
      const items = verification.request.items.map(({ step, reasonCode }) => ({ step, reasonCode }));
      return { ...about, kind: mail.kind, values: { ...values, items } };
    }
    case 'verification.result':
      if (verification.status !== 'approved' && verification.status !== 'rejected') return null;
      return { ...about, kind: mail.kind, values: { ...values, result: verification.status } };
    default:
      return mail.kind satisfies never;
  }
}

/** Returns the reminder to queue once the mail with the first link was sent; null if there is none. */
export function reminderAfter(
  mail: Pick<Mail, 'kind'>,
  { clientId, id: verificationId, status, link }: Verification,
  { id, now }: { readonly id: string; readonly now: Date },
): Mail | null {
  const dueAt = new Date(now.getTime() + REMINDER_AFTER_DAYS * DAY_MS);
  if (mail.kind !== 'verification.link' || status !== 'pending' || !remindsInTime(link.expiresAt, dueAt))
    return null;
  const kind: MailKind = 'verification.reminder';
  return {
    ...aboutVerification({ clientId, verificationId }),
    id,
    kind,
    plannedAt: dueAt,
    dueAt,
    attempts: 0,
    heldUntil: null,
  };
}

function isOpen({ status }: Verification): boolean {
  return status === 'pending' || status === 'action_needed';
}

function remindsInTime(linkExpiresAt: Date, at: Date): boolean {
  return linkExpiresAt.getTime() - at.getTime() >= REMINDER_BEFORE_END_DAYS * DAY_MS;
}
