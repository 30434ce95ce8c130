import type { Language } from '@countersign/domain';
import type { MailContent } from '@countersign/domain/mail';
import { nameInSubject, nameInText } from './harmless-name.ts';
import { momentInWords } from './moments.ts';
import { languageOf, reasonName, type TextName, type Translate, translator } from './texts.ts';

/** The parts of a mail, before they are drawn as plain text and as HTML. */
export interface MailText {
  readonly language: Language;
  readonly subject: string;
  readonly lead: string;
  /** A list below the lead; empty without one. */
  readonly items: readonly string[];
  readonly more: string;
  /** Null if the link no longer works. */
  readonly link: {
    readonly button: string;
    readonly url: string;
    readonly paste: string;
    /** Null if the link needs a sign-in and has no end. */
    readonly until: string | null;
  } | null;
  /** Why the mail was sent, and by whom. */
  readonly notes: readonly string[];
}

/** Writes a mail in the language of its reader. */
export function mailTextOf(content: MailContent, now: Date): MailText {
  const { clientName, url } = content.values;
  const language = languageOf(content.locale);
  const t = translator(language);
  const values = {
    client: nameInSubject(clientName ?? ''),
    name: nameInText(clientName ?? ''),
    ...factsOf(content, language),
  };
  const supportAddress = 'supportAddress' in content.values ? content.values.supportAddress : null;
  const linkExpiresAt = 'linkExpiresAt' in content.values ? content.values.linkExpiresAt : null;
  const { area, button, until, why } = partsOf(content);
  return {
    language,
    subject: t(`${area}.subject`, values),
    lead: t(`${area}.lead`, values),
    items: itemsOf(content, t),
    more: t(`${area}.more`, values),
    link:
      linkExpiresAt !== null && linkExpiresAt <= now
        ? null
        : {
            button: t(button),
            url,
            paste: t('frame.paste'),
            until: linkExpiresAt === null ? null : t(until, { until: momentInWords(linkExpiresAt, language) }),
          },
    notes: [
      t(why, values),
      ...(supportAddress === null ? [] : [t('frame.support', { ...values, address: supportAddress })]),
      t('frame.automatic'),
    ],
  };
}

/** The area of the texts of a mail: the name of its subject, without `.subject`. */
type Area = Extract<TextName, `${string}.subject`> extends `${infer Name}.subject` ? Name : never;

/** The names of the texts of a mail. */
interface Parts {
  readonly area: Area;
  readonly button: TextName;
  readonly until: TextName;
  readonly why: TextName;
}

function partsOf(content: MailContent): Parts {
  const ofVerification = { until: 'frame.until', why: 'frame.why' } as const;
  const ofAccount = { until: 'frame.once', why: 'frame.account' } as const;
  switch (content.kind) {
    case 'verification.result':
      return { ...ofVerification, area: `verification.result.${content.values.result}`, button: 'button.open' };
    case 'verification.action_needed':
      return { ...ofVerification, area: `${content.kind}.${content.values.subjectType}`, button: 'button.open' };
    case 'verification.link':
    case 'verification.link_renewed':
    case 'verification.reminder': {
      const { subjectType } = content.values;
      return { ...ofVerification, area: `${content.kind}.${subjectType}`, button: `button.${subjectType}` };
    }
    case 'user.invitation': {
      const area = content.values.clientName === null ? 'user.invitation.service' : 'user.invitation.team';
      return { ...ofAccount, area, button: 'button.join', why: 'frame.invited' };
    }
    case 'user.password_reset':
      return { ...ofAccount, area: content.kind, button: 'button.password' };
    case 'user.second_factor_reset':
      return { ...ofAccount, area: content.kind, button: 'button.second_factor' };
    case 'team.endpoint_paused':
      return { ...ofAccount, area: content.kind, button: 'button.endpoint', why: 'frame.team' };
    case 'team.key_expiring': {
      const area = content.values.keyName === '' ? 'team.key_expiring.unnamed' : 'team.key_expiring.named';
      return { ...ofAccount, area, button: 'button.keys', why: 'frame.team' };
    }
    default:
      return content satisfies never;
  }
}

/** What a mail names beside the client. */
function factsOf(content: MailContent, language: Language): Readonly<Record<string, string>> {
  switch (content.kind) {
    case 'team.endpoint_paused': {
      const { host, failingSince } = content.values;
      return { host: nameInText(host), since: momentInWords(failingSince, language) };
    }
    case 'team.key_expiring': {
      const { keyName, keyDisplay, expiresAt } = content.values;
      return { key: nameInText(keyName), display: keyDisplay, end: momentInWords(expiresAt, language) };
    }
    default:
      return {};
  }
}

/** Lists the steps to answer again. Two reasons with the same text are one. */
function itemsOf(content: MailContent, t: Translate): string[] {
  if (content.kind !== 'verification.action_needed') return [];
  const items = content.values.items.map(({ step, reasonCode }) =>
    t('frame.item', { step: t(`step.${step}`), reason: t(reasonName(reasonCode)) }),
  );
  return [...new Set(items)];
}
