import type { MailContent } from '@countersign/domain';
import { nameInSubject, nameInText } from './harmless-name.ts';
import { momentInWords } from './moments.ts';
import { type Language, languageOf, reasonName, type TextName, type Translate, translator } from './texts.ts';

/** The parts of a mail, before they are drawn as plain text and as HTML. */
export interface Letter {
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
    readonly until: string;
  } | null;
  /** Why the mail was sent, and by whom. */
  readonly notes: readonly string[];
}

/** Writes a mail in the language of its reader. */
export function letterOf(content: MailContent, now: Date): Letter {
  const { clientName, url, linkExpiresAt } = content.values;
  const language = languageOf(content.locale);
  const t = translator(language);
  const values = { client: nameInSubject(clientName), name: nameInText(clientName) };
  const area = areaOf(content);
  return {
    language,
    subject: t(`${area}.subject`, values),
    lead: t(`${area}.lead`, values),
    items: itemsOf(content, t),
    more: t(`${area}.more`, values),
    link:
      linkExpiresAt <= now
        ? null
        : {
            button: t(buttonOf(content)),
            url,
            paste: t('frame.paste'),
            until: t('frame.until', { until: momentInWords(linkExpiresAt, language) }),
          },
    notes: [t('frame.why', values), t('frame.automatic')],
  };
}

/** The area of the texts of a mail: the name of its subject, without `.subject`. */
type Area = Extract<TextName, `verification.${string}.subject`> extends `${infer Name}.subject` ? Name : never;

function areaOf(content: MailContent): Area {
  return content.kind === 'verification.result'
    ? `verification.result.${content.values.result}`
    : `${content.kind}.${content.values.subjectType}`;
}

function buttonOf({ kind, values: { subjectType } }: MailContent): TextName {
  return kind === 'verification.action_needed' || kind === 'verification.result'
    ? 'button.open'
    : `button.${subjectType}`;
}

/** Lists the steps to answer again. Two reasons with the same text are one. */
function itemsOf(content: MailContent, t: Translate): string[] {
  if (content.kind !== 'verification.action_needed') return [];
  const items = content.values.items.map(({ step, reasonCode }) =>
    t('frame.item', { step: t(`step.${step}`), reason: t(reasonName(reasonCode)) }),
  );
  return [...new Set(items)];
}
