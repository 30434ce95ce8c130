import { DEFAULT_LANGUAGE, knownLanguage, type Language } from '@countersign/domain';
import { groupOf, type MailContent, type MailGroup, type MailLogo } from '@countersign/domain/mail';
import { lastDayEverywhere, latestToday } from '@countersign/domain/retention';
import { nameInSender, nameInSubject, nameInText } from './harmless-name.ts';
import { dayInWords, momentInWords, spanInWords } from './moments.ts';
import { isPlainAddress } from './plain-address.ts';
import { FRAME } from './words/frame.ts';
import { itemInWords } from './words/items.ts';
import type { Words, WordsOf } from './words/mail-words.ts';
import { TEAM_WORDS } from './words/team.ts';
import { USER_WORDS } from './words/user.ts';
import { VERIFICATION_WORDS } from './words/verification.ts';

const WORDS: WordsOf<MailGroup> = { ...VERIFICATION_WORDS, ...USER_WORDS, ...TEAM_WORDS };

/** The name of the service in its own mails, and of a sender without a name. */
const SERVICE = 'Countersign';

/** What subjects see of the client that writes to them. */
interface Brand {
  readonly name: string;
  readonly colour: string | null;
  readonly logo: MailLogo | null;
}

/** The parts of a mail, before they are drawn as plain text and as HTML. */
export interface MailText {
  readonly language: Language;
  /** The display name of the sender. */
  readonly from: string;
  /** Where replies go; null if they are not read. */
  readonly replyTo: string | null;
  /** Null in mails of the service itself. */
  readonly brand: Brand | null;
  readonly subject: string;
  /** The heading. */
  readonly title: string;
  readonly lead: string;
  /** A list below the lead; empty without one. */
  readonly items: readonly string[];
  readonly more: string;
  /** Null if the link no longer works. */
  readonly link: {
    readonly button: string;
    readonly url: string;
    /** The host and the beginning of the path, for people to see. */
    readonly shown: string;
    /** Null if the link needs a sign-in and has no end. */
    readonly until: string | null;
  } | null;
  /** Why the mail was sent, and by whom. */
  readonly why: string;
  /** Where the client gives help; null without an address. */
  readonly help: { readonly label: string; readonly address: string } | null;
  /** What happens to replies. */
  readonly replies: string;
}

/** Returns the name that stands above a mail. */
export function nameOfSender({ brand }: Pick<MailText, 'brand'>): string {
  return brand?.name ?? SERVICE;
}

/**
 * Writes a mail in the language of its reader, or in English if it has no words in that language.
 * @param service the name of the sender of all mails; null without one
 */
export function mailTextOf(content: MailContent, now: Date, service: string | null): MailText {
  const { kind, values } = content;
  const group = groupOf(content);
  const language = knownLanguage(content.locale) ?? DEFAULT_LANGUAGE;
  const frame = FRAME[language];
  const name = nameInText(values.clientName ?? '');
  const facts = { ...factsOf(values, language), client: nameInSubject(values.clientName ?? ''), name };
  // Content ties the values to the kind.
  const write = WORDS[kind][language] as (facts: object) => Words;
  const { subject, title, lead, more, button, why = frame.why[group](name) } = write(facts);

  const seen = 'supportAddress' in values ? values : null;
  const address = seen?.supportAddress ?? null;
  const replyTo = address !== null && isPlainAddress(address) ? address : null;
  const end = 'linkExpiresAt' in values ? values.linkExpiresAt : null;
  // Two reasons with the same text are one.
  const items = new Set('items' in values ? values.items.map((item) => itemInWords(item, language)) : []);
  return {
    language,
    from: senderName(seen?.clientName ?? null, service ?? SERVICE, language),
    replyTo,
    brand: seen && { name, colour: seen.colour, logo: seen.logo },
    subject,
    title,
    lead,
    items: [...items],
    more,
    link:
      end !== null && end <= now
        ? null
        : {
            button,
            url: values.url,
            shown: shownAddress(values.url),
            until:
              end &&
              (seen ? untilForSubject(end, now, language) : frame.untilForUser(momentInWords(end, language))),
          },
    why,
    help: address === null ? null : { label: frame.support(name), address },
    replies: replyTo === null ? frame.automatic : frame.repliesTo(name),
  };
}

function senderName(clientName: string | null, service: string, language: Language): string {
  const client = nameInSender(clientName ?? '');
  return client === '' || client === service ? service : FRAME[language].sender(client, service);
}

/** Writes the last whole day in every time zone, because that of a subject is unknown. The pages say the same. */
function untilForSubject(end: Date, now: Date, language: Language): string {
  const { untilForSubject: until, endsSoon } = FRAME[language];
  const day = lastDayEverywhere(end);
  return day >= latestToday(now)
    ? until(dayInWords(day, language))
    : endsSoon(spanInWords(end.getTime() - now.getTime(), language));
}

/** Characters of a path that people see. */
const SHOWN_PATH_MAX = 16;

/** Shortens an address, but never its host: by that, readers recognise whose link it is. */
function shownAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname.length <= SHOWN_PATH_MAX ? `${host}${pathname}` : `${host}${pathname.slice(0, SHOWN_PATH_MAX)}…`;
}

/** Returns values as sentences name them (`Facts`). */
function factsOf(values: object, language: Language): object {
  const fact = (value: unknown): unknown => {
    if (typeof value === 'string') return nameInText(value);
    return value instanceof Date ? momentInWords(value, language) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fact(value)]));
}
