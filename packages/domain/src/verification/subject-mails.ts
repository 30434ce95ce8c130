import type { Mail, MailKind } from '../mail/mail.ts';
import type { EventType, VerificationEvent } from './events.ts';
import type { Verification } from './verification.ts';

/**
 * The mail that an event queues for the subject. A renewed link is sent to them, because the one that they have stopped working.
 * Nothing is sent after a withdrawal, which the client explains itself, or after an expiry, which comes a month after the link
 * ended.
 */
const MAIL_AFTER: { readonly [T in EventType]?: MailKind } = {
  'verification.created': 'verification.link',
  'verification.link_renewed': 'verification.link_renewed',
  'verification.action_requested': 'verification.action_needed',
  'verification.approved': 'verification.result',
  'verification.rejected': 'verification.result',
};

/** Returns the mails that an event queues. Each has the id of its event. */
export function mailsAfter(
  { id, type, at, clientId, verificationId }: VerificationEvent,
  { notify }: Pick<Verification, 'notify'>,
  { sendsMail }: { readonly sendsMail: boolean },
): readonly Mail[] {
  const kind = MAIL_AFTER[type];
  if (!sendsMail || notify === null || kind === undefined) return [];
  return [
    {
      ...aboutVerification({ clientId, verificationId }),
      id,
      kind,
      plannedAt: at,
      dueAt: at,
      attempts: 0,
      heldUntil: null,
    },
  ];
}

/** The fields that name the verification of a mail. */
export function aboutVerification(of: {
  readonly clientId: string;
  readonly verificationId: string;
}): Pick<Mail, 'clientId' | 'verificationId' | 'userId' | 'targetId'> {
  return { clientId: of.clientId, verificationId: of.verificationId, userId: null, targetId: null };
}
