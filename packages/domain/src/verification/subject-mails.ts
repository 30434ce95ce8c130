import { type Mail, newMail } from '../mail/mail.ts';
import type { ReasonCode } from './decision.ts';
import type { EventType, VerificationEvent } from './events.ts';
import type { StepKey, SubjectType } from './flow.ts';
import type { Verification } from './verification.ts';

/** A client's logo, as a mail shows it. */
export interface MailLogo {
  /** The same for every recipient, so loading it does not show who reads the mail. */
  readonly url: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What every mail about a verification says. */
export interface VerificationMailValues {
  /** As subjects know it. */
  readonly clientName: string;
  /** The client's colour, `#rrggbb` in lower case; null without one. */
  readonly colour: string | null;
  /** Null without one. */
  readonly logo: MailLogo | null;
  /** Where subjects ask the client for help: one e-mail address or an `https://` address; null without one. */
  readonly supportAddress: string | null;
  readonly subjectType: SubjectType;
  /** The subject's link, as it is when the mail is sent. It grants access. */
  readonly url: string;
  /** When the link stops working. */
  readonly linkExpiresAt: Date;
}

/** The mails about a verification, and what each of them says. */
export interface SubjectMails {
  readonly 'verification.link': VerificationMailValues;
  readonly 'verification.link_renewed': VerificationMailValues;
  readonly 'verification.reminder': VerificationMailValues;
  readonly 'verification.action_needed': VerificationMailValues & {
    /** The steps to answer again, and why. Messages and notes of the reviewer are on the page of the link only. */
    readonly items: readonly { readonly step: StepKey; readonly reasonCode: ReasonCode }[];
  };
  readonly 'verification.result': VerificationMailValues & { readonly result: 'approved' | 'rejected' };
}

/** A mail to a subject about their verification. */
interface SubjectMail<V> {
  /** The events that queue it. No event queues two. */
  readonly after: readonly EventType[];
  /** The mail that is queued once this one was sent, and the days until it is sent. */
  readonly next?: { readonly kind: keyof SubjectMails; readonly days: number };
  /** Days that the link must still work when the mail is sent; null if it may have ended. */
  readonly linkDays: number | null;
  /** Returns its values beside `VerificationMailValues`; null if the mail is no longer needed. */
  readonly facts: (verification: Verification) => Omit<V, keyof VerificationMailValues> | null;
}

/**
 * The mails to subjects. Nothing is sent after a withdrawal, which the client explains itself, or after an expiry, which comes a month
 * after the link ended.
 */
export const SUBJECT_MAILS: { readonly [K in keyof SubjectMails]: SubjectMail<SubjectMails[K]> } = {
  'verification.link': {
    after: ['verification.created'],
    // Most subjects answer within two days or not at all, and one reminder in the same week is not a nuisance.
    next: { kind: 'verification.reminder', days: 3 },
    linkDays: 0,
    facts: whileOpen,
  },
  // The previous link has stopped working.
  'verification.link_renewed': { after: ['verification.link_renewed'], linkDays: 0, facts: whileOpen },
  // Subjects can still use the link if they read the mail a day later.
  'verification.reminder': {
    after: [],
    linkDays: 1,
    facts: ({ status }) => (status === 'pending' ? {} : null),
  },
  'verification.action_needed': {
    after: ['verification.action_requested'],
    linkDays: 0,
    facts(verification) {
      if (verification.status !== 'action_needed') return null;
      return { items: verification.request.items.map(({ step, reasonCode }) => ({ step, reasonCode })) };
    },
  },
  'verification.result': {
    after: ['verification.approved', 'verification.rejected'],
    linkDays: null,
    facts: ({ status }) => (status === 'approved' || status === 'rejected' ? { result: status } : null),
  },
};

function whileOpen({ status }: Verification): object | null {
  return status === 'pending' || status === 'action_needed' ? {} : null;
}

/** Returns the values of a mail beside `VerificationMailValues` at a time; null if the mail is not needed then. */
export function factsAt(kind: keyof SubjectMails, verification: Verification, at: Date): object | null {
  const { linkDays, facts } = SUBJECT_MAILS[kind];
  const linkWorksMs = verification.link.expiresAt.getTime() - at.getTime();
  const hasLink = linkDays === null || (linkWorksMs > 0 && linkWorksMs >= linkDays * DAY_MS);
  return hasLink ? facts(verification) : null;
}

/** Returns the mail to queue once a mail was sent; null if there is none, or if it would not be needed. */
export function mailNext(
  { kind: sent, id, now }: { readonly kind: keyof SubjectMails; readonly id: string; readonly now: Date },
  verification: Verification,
): Mail | null {
  const { next } = SUBJECT_MAILS[sent];
  if (next === undefined) return null;
  const at = new Date(now.getTime() + next.days * DAY_MS);
  if (factsAt(next.kind, verification, at) === null) return null;
  const { clientId, id: verificationId } = verification;
  return newMail({ id, kind: next.kind, at, clientId, verificationId });
}

const KINDS = Object.keys(SUBJECT_MAILS) as (keyof SubjectMails)[];

/** Returns the mails that an event queues. Each has the id of its event. */
export function mailsAfter(
  { id, type, at, clientId, verificationId }: VerificationEvent,
  { notify }: Pick<Verification, 'notify'>,
  { sendsMail }: { readonly sendsMail: boolean },
): readonly Mail[] {
  if (!sendsMail || notify === null) return [];
  return KINDS.filter((kind) => SUBJECT_MAILS[kind].after.includes(type)).map((kind) =>
    newMail({ id, kind, at, clientId, verificationId }),
  );
}
