import type { Language } from '@countersign/domain';
import type { MailGroup } from '@countersign/domain/mail';

/** The sentences around every mail. */
interface Frame {
  /** Above the address of the link. */
  readonly paste: string;
  /** How long the link works. */
  readonly until: (end: string, worksOnce: boolean) => string;
  /** Why the mail was sent. */
  readonly why: Readonly<Record<MailGroup, (name: string) => string>>;
  readonly support: (name: string, address: string) => string;
  readonly automatic: string;
}

/** The sentences around every mail, by language. */
export const FRAME: Readonly<Record<Language, Frame>> = {
  en: {
    paste: 'If the button does not work, copy this address into your browser:',
    until: (end, worksOnce) =>
      `The link works ${worksOnce ? 'once, ' : ''}until ${end} (UTC). It is personal: do not forward this message.`,
    why: {
      verification: (name) =>
        `You receive this message because ${name} gave us your e-mail address for this verification. If you did not expect it, do not open any link in it, and contact ${name}.`,
      user: () => 'You receive this message because this is the address of your account in Countersign.',
      team: (name) =>
        `You receive this message because you manage API keys and webhooks for ${name} in Countersign.`,
    },
    support: (name, address) => `Contact ${name}: ${address}`,
    automatic: 'This message was sent automatically. Replies are not read.',
  },
  de: {
    paste: 'Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
    until: (end, worksOnce) =>
      `Der Link gilt ${worksOnce ? 'nur einmal und nur ' : ''}bis zum ${end} Uhr (UTC). Er ist persönlich: Bitte leiten Sie diese Nachricht nicht weiter.`,
    why: {
      verification: (name) =>
        `Sie erhalten diese Nachricht, weil ${name} uns Ihre E-Mail-Adresse für diese Prüfung genannt hat. Wenn Sie sie nicht erwartet haben, öffnen Sie keinen Link darin und wenden Sie sich bitte an ${name}.`,
      user: () => 'Sie erhalten diese Nachricht, weil dies die Adresse Ihres Kontos bei Countersign ist.',
      team: (name) =>
        `Sie erhalten diese Nachricht, weil Sie bei Countersign die API-Schlüssel und Webhooks von ${name} verwalten.`,
    },
    support: (name, address) => `Kontakt zu ${name}: ${address}`,
    automatic: 'Diese Nachricht wurde automatisch versendet. Antworten werden nicht gelesen.',
  },
};
