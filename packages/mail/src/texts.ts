import { DEFAULT_LANGUAGE, knownLanguage, LANGUAGES, type Language, type ReasonCode } from '@countersign/domain';
import type { StepKey } from '@countersign/domain/flows';
import { createInstance, type i18n } from 'i18next';
import de from './locales/de/mails.json' with { type: 'json' };
import en from './locales/en/mails.json' with { type: 'json' };

/** The texts in English, which define which exist. Every step has a name. */
type Texts = typeof en & { readonly step: Readonly<Record<StepKey, string>> };

const EN: Texts = en;
// A missing German text does not compile.
const DE: Texts = de;

/** Names of the texts in an object, joined by dots. */
type Names<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Names<T[K]>}`;
}[keyof T & string];

/** The name of a text: `button.kyc`. A name without a text does not compile. */
export type TextName = Names<typeof en>;

/** Returns a text with `{{values}}` filled in. */
export type Translate = (name: TextName, values?: Readonly<Record<string, string>>) => string;

const texts: i18n = createInstance();
// Synchronous, because all texts are already loaded.
void texts.init({
  resources: { en: { translation: EN }, de: { translation: DE } },
  initAsync: false,
  supportedLngs: LANGUAGES,
  fallbackLng: false,
  // A value must not refer to other texts.
  nsSeparator: false,
  // Hono's JSX escapes every text. Values are filled in as they are: `$t(…)` in a name stays text.
  interpolation: { escapeValue: false, skipOnVariables: true },
});

/** Returns the translator into a language. */
export function translator(language: Language): Translate {
  return (name, values = {}) => texts.t(name, { ...values, lng: language });
}

/** Returns the language of a tag, `de` for `de-AT`, and English for all others. */
export function languageOf(tag: string | null): Language {
  return knownLanguage(tag) ?? DEFAULT_LANGUAGE;
}

/** The reasons that a mail names. The others, such as a suspicion, are not for subjects. */
export function reasonName(code: ReasonCode): TextName {
  return Object.hasOwn(EN.reason, code) ? `reason.${code as keyof typeof en.reason}` : 'reason.other';
}
