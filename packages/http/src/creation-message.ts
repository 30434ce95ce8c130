import { DEFAULT_LANGUAGE, knownLanguage, LANGUAGES } from '@countersign/domain';

/**
 * Confirms a creation, and adds a sentence for each value of the body whose effect the client may not expect.
 * @param body the accepted body of the request
 */
export function creationMessage(
  body: object,
  { sandboxOutcomeIgnored = false }: { readonly sandboxOutcomeIgnored?: boolean } = {},
): string {
  const sentences = ['Verification created', ...languageNotes(body), ...(sandboxOutcomeIgnored ? LIVE_MODE : [])];
  return sentences.join('. ');
}

const LIVE_MODE = [
  'metadata.sandboxOutcome has no effect, because this API key is of live mode',
  'Use a key of test mode',
];

const names = new Intl.DisplayNames('en', { type: 'language' });
const CHOICES: string = new Intl.ListFormat('en', { type: 'disjunction' }).format(LANGUAGES.map(nameOf));

function nameOf(language: string): string {
  return names.of(language) ?? language;
}

/** Names the languages of pages and mails if they do not have that of `locale`. */
function languageNotes({ locale, notify }: { readonly locale?: unknown; readonly notify?: unknown }): string[] {
  if (typeof locale !== 'string' || knownLanguage(locale) !== null) return [];
  const pages = `The pages are not available in ${JSON.stringify(locale)} and open in the language of the subject's browser, ${CHOICES}`;
  const hasMails = notify !== undefined && notify !== null;
  return hasMails ? [pages, `E-mails to the subject are in ${nameOf(DEFAULT_LANGUAGE)}`] : [pages];
}
