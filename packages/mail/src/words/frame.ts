import type { Language } from '@countersign/domain';
import type { MailGroup } from '@countersign/domain/mail';

/** The sentences around every mail. */
interface Frame {
  /** The display name of the sender of a client's mail. */
  readonly sender: (client: string, service: string) => string;
  /** The last day on which a subject's link works. */
  readonly untilForSubject: (day: string) => string;
  /** How long a subject's link works that has no whole day left. */
  readonly endsSoon: (span: string) => string;
  /** How long a user's one-time link works. */
  readonly untilForUser: (end: string) => string;
  /** Why the mail was sent. */
  readonly why: Readonly<Record<MailGroup, (name: string) => string>>;
  /** Before the address where a client gives help. */
  readonly support: (name: string) => string;
  readonly automatic: string;
  /** The same, where the client reads replies. */
  readonly repliesTo: (name: string) => string;
}

/** The sentences around every mail, by language. */
export const FRAME: Readonly<Record<Language, Frame>> = {
  en: {
    sender: (client, service) => `${client} via ${service}`,
    untilForSubject: (day) => `The link works until ${day}. It is personal: do not forward this message.`,
    endsSoon: (span) =>
      `The link works for ${span} after this message was sent. It is personal: do not forward this message.`,
    untilForUser: (end) => `The link works once, until ${end} (UTC). It is personal: do not forward this message.`,
    why: {
      verification: (name) =>
        `You receive this message because ${name} gave us your e-mail address for this verification. If you did not expect it, do not open any link in it, and contact ${name}.`,
      user: () => 'You receive this message because this is the address of your account in Countersign.',
      team: (name) =>
        `You receive this message because you manage API keys and webhooks for ${name} in Countersign.`,
    },
    support: (name) => `Contact ${name}:`,
    automatic: 'This message was sent automatically. Replies are not read.',
    repliesTo: (name) => `This message was sent automatically. Replies go to ${name}.`,
  },
  de: {
    sender: (client, service) => `${client} über ${service}`,
    untilForSubject: (day) =>
      `Der Link gilt bis zum ${day}. Er ist persönlich: Bitte leiten Sie diese Nachricht nicht weiter.`,
    endsSoon: (span) =>
      `Der Link gilt nach dem Versand dieser Nachricht noch ${span}. Er ist persönlich: Bitte leiten Sie diese Nachricht nicht weiter.`,
    untilForUser: (end) =>
      `Der Link gilt nur einmal und nur bis zum ${end} Uhr (UTC). Er ist persönlich: Bitte leiten Sie diese Nachricht nicht weiter.`,
    why: {
      verification: (name) =>
        `Sie erhalten diese Nachricht, weil ${name} uns Ihre E-Mail-Adresse für diese Prüfung genannt hat. Wenn Sie sie nicht erwartet haben, öffnen Sie keinen Link darin und wenden Sie sich bitte an ${name}.`,
      user: () => 'Sie erhalten diese Nachricht, weil dies die Adresse Ihres Kontos bei Countersign ist.',
      team: (name) =>
        `Sie erhalten diese Nachricht, weil Sie bei Countersign die API-Schlüssel und Webhooks von ${name} verwalten.`,
    },
    support: (name) => `Kontakt zu ${name}:`,
    automatic: 'Diese Nachricht wurde automatisch versendet. Antworten werden nicht gelesen.',
    repliesTo: (name) => `Diese Nachricht wurde automatisch versendet. Antworten gehen an ${name}.`,
  },
};
