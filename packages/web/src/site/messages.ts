import { PART_NAMES, type StoragePart } from '@countersign/domain/storage';
import { createInstance, type i18n } from 'i18next';
import deAccount from '../locales/de/account.json' with { type: 'json' };
import deActions from '../locales/de/actions.json' with { type: 'json' };
import deAdmin from '../locales/de/admin.json' with { type: 'json' };
import deCapture from '../locales/de/capture.json' with { type: 'json' };
import deDashboard from '../locales/de/dashboard.json' with { type: 'json' };
import deExports from '../locales/de/exports.json' with { type: 'json' };
import deReview from '../locales/de/review.json' with { type: 'json' };
import deSite from '../locales/de/site.json' with { type: 'json' };
import deStaff from '../locales/de/staff.json' with { type: 'json' };
import deVerify from '../locales/de/verify.json' with { type: 'json' };
import deWording from '../locales/de/wording.json' with { type: 'json' };
import enAccount from '../locales/en/account.json' with { type: 'json' };
import enActions from '../locales/en/actions.json' with { type: 'json' };
import enAdmin from '../locales/en/admin.json' with { type: 'json' };
import enCapture from '../locales/en/capture.json' with { type: 'json' };
import enDashboard from '../locales/en/dashboard.json' with { type: 'json' };
import enExports from '../locales/en/exports.json' with { type: 'json' };
import enReview from '../locales/en/review.json' with { type: 'json' };
import enSite from '../locales/en/site.json' with { type: 'json' };
import enStaff from '../locales/en/staff.json' with { type: 'json' };
import enVerify from '../locales/en/verify.json' with { type: 'json' };
import enWording from '../locales/en/wording.json' with { type: 'json' };
import { LANGUAGES, type Language } from './language.ts';
import { limitsInWords } from './limits.ts';

/** The texts of each area. The English ones define which exist. */
interface Texts {
  readonly site: typeof enSite;
  readonly verify: typeof enVerify;
  readonly capture: typeof enCapture;
  readonly review: typeof enReview;
  readonly account: typeof enAccount;
  readonly staff: typeof enStaff;
  readonly dashboard: typeof enDashboard;
  readonly actions: typeof enActions;
  readonly admin: typeof enAdmin;
  readonly exports: typeof enExports;
  readonly wording: typeof enWording;
}

const EN: Texts = {
  site: enSite,
  verify: enVerify,
  capture: enCapture,
  review: enReview,
  account: enAccount,
  staff: enStaff,
  dashboard: enDashboard,
  actions: enActions,
  admin: enAdmin,
  exports: enExports,
  wording: enWording,
};
// A missing German text does not compile.
const DE: Texts = {
  site: deSite,
  verify: deVerify,
  capture: deCapture,
  review: deReview,
  account: deAccount,
  staff: deStaff,
  dashboard: deDashboard,
  actions: deActions,
  admin: deAdmin,
  exports: deExports,
  wording: deWording,
};

/** The texts of every area, by language: `MESSAGES.de.site`. */
export const MESSAGES: Readonly<Record<Language, object>> = { en: EN, de: DE };

type Area = keyof Texts;

/** Names of the texts in an object, joined by dots. A text with plural forms or with a variant has one name, without the ending. */
type Names<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutPart<WithoutPlural<K>> : `${K}.${Names<T[K]>}`;
}[keyof T & string];

type WithoutPlural<K extends string> = K extends `${infer Name}_${'one' | 'other'}` ? Name : K;

type WithoutPart<K extends string> = K extends `${infer Name}_without_${StoragePart}` ? Name : K;

/** The name of a text: `verify:consent.title`. A name without a text does not compile. */
export type MessageKey = { [A in Area]: `${A}:${Names<Texts[A]>}` }[Area];

/**
 * Returns a text in the reader's language, with `{{values}}` filled in. `count` selects the plural form. Every text can
 * use the bounds of `limits.ts`.
 */
export type Translate = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

const texts: i18n = createInstance();
// Synchronous, because all texts are already loaded.
void texts.init({
  resources: { en: { ...EN }, de: { ...DE } },
  initAsync: false,
  supportedLngs: LANGUAGES,
  fallbackLng: false,
  // Hono's JSX escapes every text.
  interpolation: { escapeValue: false },
});

const ALL_PARTS: ReadonlySet<StoragePart> = new Set(PART_NAMES);

/** The translators of services, by the parts that their storage has. */
const TRANSLATORS = new WeakMap<ReadonlySet<StoragePart>, Readonly<Record<Language, Translate>>>();

/** Keeps the texts without values: a page has a hundred of them, and looking one up costs ten times as much as the rest. */
function translateTo(language: Language, parts: ReadonlySet<StoragePart>): Translate {
  const always = { lng: language, limits: limitsInWords(language) };
  const missing = PART_NAMES.filter((part) => !parts.has(part));
  const variantOf = (key: MessageKey) => missing.map((part) => `${key}_without_${part}`).find(hasMessage) ?? key;
  const kept = new Map<MessageKey, string>();
  return (key, values) => {
    if (values !== undefined) return texts.t(variantOf(key), { ...withIsolated(values), ...always });
    const known = kept.get(key);
    if (known !== undefined) return known;
    const text = texts.t(variantOf(key), always);
    kept.set(key, text);
    return text;
  };
}

/** Letters of scripts that are written from right to left, such as Hebrew and Arabic. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\u0700-\u08ff\u{10800}-\u{10fff}\u{1e800}-\u{1e9ff}]/u;

/**
 * Isolates a text that is written from right to left (Unicode UAX 9, FSI and PDI), so that it does not reorder the words and
 * figures around it. For sentences, titles and attributes, where `<bdi>` cannot stand; elsewhere, draw a value in `<bdi>`.
 */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

function withIsolated(
  values: Readonly<Record<string, string | number>>,
): Readonly<Record<string, string | number>> {
  const all = Object.entries(values);
  return Object.fromEntries(
    all.map(([name, value]) => [name, typeof value === 'string' ? isolated(value) : value]),
  );
}

/**
 * Returns the translator into a language. A text that names a part of the storage has a variant for services without it, under its name
 * and `_without_` with the part: `testText_without_webhooks`.
 * @param parts what the storage has; default every part
 */
export function translator(language: Language, parts: ReadonlySet<StoragePart> = ALL_PARTS): Translate {
  const known = TRANSLATORS.get(parts);
  if (known !== undefined) return known[language];
  const translators = { en: translateTo('en', parts), de: translateTo('de', parts) };
  TRANSLATORS.set(parts, translators);
  return translators[language];
}

/** Names of texts that were found: a list asks for the same ones in every row. */
const FOUND = new Set<string>();

/** Whether a text with this name exists, for names made from data. */
export function hasMessage(key: string): key is MessageKey {
  if (FOUND.has(key)) return true;
  let found: unknown = EN;
  for (const part of key.split(/[:.]/)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return false;
    found = (found as Readonly<Record<string, unknown>>)[part];
  }
  if (typeof found !== 'string') return false;
  FOUND.add(key);
  return true;
}

/** Returns the first text that exists, for names made from data; undefined if none does. */
export function findText(
  t: Translate,
  names: readonly string[],
  values?: Parameters<Translate>[1],
): string | undefined {
  const name = names.find(hasMessage);
  return name === undefined ? undefined : t(name, values);
}
