import type { MailKind } from '../mail/mail.ts';
import type { ReasonCode } from '../verification/decision.ts';
import type { StepKey, SubjectType } from '../verification/flow.ts';

/** What every mail about a verification says. */
export interface VerificationMailValues {
  /** As subjects know it. */
  readonly clientName: string;
  /** Where subjects ask the client for help: one e-mail address or an `https://` address; null without one. */
  readonly supportAddress: string | null;
  readonly subjectType: SubjectType;
  /** The subject's link, as it is when the mail is sent. It grants access. */
  readonly url: string;
  /** When the link stops working. */
  readonly linkExpiresAt: Date;
}

/** What every mail with a one-time link for a user says. */
export interface UserMailValues {
  /** The client whose team the user belongs to; null for reviewers and operators. */
  readonly clientName: string | null;
  /** The one-time link. It grants access. */
  readonly url: string;
  /** When the link stops working. */
  readonly linkExpiresAt: Date;
}

/** What every mail to a user about something of their team's client says. */
export interface TeamMailValues {
  readonly clientName: string;
  /** A page of the dashboard. */
  readonly url: string;
}

/** The values of the text, by kind of mail. */
interface MailValues {
  readonly 'verification.link': VerificationMailValues;
  readonly 'verification.link_renewed': VerificationMailValues;
  readonly 'verification.reminder': VerificationMailValues;
  readonly 'verification.action_needed': VerificationMailValues & {
    /** The steps to answer again, and why. Messages and notes of the reviewer are on the page of the link only. */
    readonly items: readonly { readonly step: StepKey; readonly reasonCode: ReasonCode }[];
  };
  readonly 'verification.result': VerificationMailValues & { readonly result: 'approved' | 'rejected' };
  readonly 'user.invitation': UserMailValues;
  readonly 'user.password_reset': UserMailValues;
  readonly 'user.second_factor_reset': UserMailValues;
  readonly 'team.endpoint_paused': TeamMailValues & {
    /** The host of the endpoint's URL. */
    readonly host: string;
    readonly failingSince: Date;
  };
  readonly 'team.key_expiring': TeamMailValues & {
    /** Empty if it has no name. */
    readonly keyName: string;
    /** Its first and last characters. */
    readonly keyDisplay: string;
    readonly expiresAt: Date;
  };
}

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
