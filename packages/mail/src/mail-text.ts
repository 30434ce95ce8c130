import { DEFAULT_LANGUAGE, knownLanguage, type Language } from '@countersign/domain';
import { groupOf, type MailContent, type MailGroup } from '@countersign/domain/mail';
import { nameInSubject, nameInText } from './harmless-name.ts';
import { momentInWords } from './moments.ts';
import { FRAME } from './words/frame.ts';
import { itemInWords } from './words/items.ts';
import type { Words, WordsOf } from './words/mail-words.ts';
import { TEAM_WORDS } from './words/team.ts';
import { USER_WORDS } from './words/user.ts';
import { VERIFICATION_WORDS } from './words/verification.ts';

const WORDS: WordsOf<MailGroup> = { ...VERIFICATION_WORDS, ...USER_WORDS, ...TEAM_WORDS };

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

/** Writes a mail in the language of its reader, or in English if it has no words in that language. */
export function mailTextOf(content: MailContent, now: Date): MailText {
  const { kind, values } = content;
  const group = groupOf(content);
  const language = knownLanguage(content.locale) ?? DEFAULT_LANGUAGE;
  const frame = FRAME[language];
  const name = nameInText(values.clientName ?? '');
  const facts = { ...factsOf(values, language), client: nameInSubject(values.clientName ?? ''), name };
  // Content ties the values to the kind.
  const write = WORDS[kind][language] as (facts: object) => Words;
  const { subject, lead, more, button, why = frame.why[group](name) } = write(facts);

  const supportAddress = 'supportAddress' in values ? values.supportAddress : null;
  const end = 'linkExpiresAt' in values ? values.linkExpiresAt : null;
  const until = end && frame.until(momentInWords(end, language), group !== 'verification');
  // Two reasons with the same text are one.
  const items = new Set('items' in values ? values.items.map((item) => itemInWords(item, language)) : []);
  return {
    language,
    subject,
    lead,
    items: [...items],
    more,
    link: end !== null && end <= now ? null : { button, url: values.url, paste: frame.paste, until },
    notes: [why, ...(supportAddress === null ? [] : [frame.support(name, supportAddress)]), frame.automatic],
  };
}

/** Returns values as sentences name them (`Facts`). */
function factsOf(values: object, language: Language): object {
  const fact = (value: unknown): unknown => {
    if (typeof value === 'string') return nameInText(value);
    return value instanceof Date ? momentInWords(value, language) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fact(value)]));
}
