import { z } from 'zod';
import type { Issue } from '../errors.ts';
import type { Fields, RowsField, TextField } from '../fields/field.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import type { JsonObject } from '../input/json.ts';
import { DEFAULT_LANGUAGE, knownLanguage, LANGUAGES, type Language } from '../input/languages.ts';
import { parseInput, valueAt } from '../input/parse.ts';

/** Most templates that a client can have for one decision. */
export const TEMPLATES_MAX_COUNT = 10;

/** Longest text of a template, in characters. */
export const TEMPLATE_TEXT_MAX_CHARACTERS = 800;

/** Longest name of a template, in characters. */
const NAME_MAX = 80;

/** The decisions whose message to the subject has templates: a request for action and a rejection. */
export const TEMPLATE_USES = ['ask', 'reject'] as const;
/** A decision whose message to the subject has templates. */
export type TemplateUse = (typeof TEMPLATE_USES)[number];

/** A message that reviewers insert: its name, which only they see, and its text in at least one language. */
export interface ReasonTemplate extends Readonly<Partial<Record<Language, string | undefined>>> {
  readonly name: string;
}

/** The templates of a client for each decision, in the order in which reviewers see them. */
export type ReasonTemplates = Readonly<Record<TemplateUse, readonly ReasonTemplate[]>>;

/** Templates as people enter them. A list that is left out is empty. */
export type ReasonTemplatesInput = Readonly<Partial<Record<TemplateUse, readonly ReasonTemplate[] | undefined>>>;

/** The templates of a new client. */
export const NO_TEMPLATES: { readonly ask: readonly []; readonly reject: readonly [] } = { ask: [], reject: [] };

const text: TextField & { readonly optional: true } = {
  kind: 'text',
  shape: 'paragraph',
  max: TEMPLATE_TEXT_MAX_CHARACTERS,
  optional: true,
};

const templates: RowsField<ReasonTemplate> & { readonly optional: true } = {
  kind: 'rows',
  fields: { name: { kind: 'text', shape: 'label', max: NAME_MAX }, en: text, de: text },
  max: TEMPLATES_MAX_COUNT,
  optional: true,
};

/** The fields of a client's templates, as forms and actions take them. */
export const reasonTemplatesFields: Fields<ReasonTemplatesInput> = { ask: templates, reject: templates };

const inputSchema = typedSchemaOf<ReasonTemplatesInput>(reasonTemplatesFields);

/** Parses templates as people enter them. @throws CountersignError `INVALID_PARAMETERS` */
export function parseReasonTemplates(input: unknown): ReasonTemplates {
  const { ask = [], reject = [] } = parseInput(inputSchema(), input, reasonTemplatesIssues);
  return { ask, reject };
}

/**
 * Finds the issues that the fields do not express: a template without a text, a control character, and a name that an earlier template
 * for the same decision has.
 */
export function reasonTemplatesIssues(input: unknown): readonly Issue[] {
  return TEMPLATE_USES.flatMap((use) => {
    const rows: unknown = valueAt(input, [use]);
    if (!Array.isArray(rows)) return [];
    const names = rows.map((row) => textAt(row, 'name').toLowerCase());
    return rows.flatMap((row, index) => {
      const issues = issuesOfTexts(row);
      // An empty name is an issue of its field, which is reported instead.
      const isTaken = names.indexOf(names[index] ?? '') < index;
      if (isTaken) issues.push({ path: 'name', message: 'is the name of another template', code: 'invalid' });
      return issues.map((issue) => ({ ...issue, path: `${use}.${index}.${issue.path}` }));
    });
  });
}

/** Control characters except line breaks and tabs. */
const CONTROL = /[^\P{Cc}\n\t]/u;

function issuesOfTexts(row: unknown): Issue[] {
  if (LANGUAGES.every((language) => textAt(row, language) === '')) {
    return [{ path: DEFAULT_LANGUAGE, message: 'is required in at least one language', code: 'required' }];
  }
  return LANGUAGES.filter((language) => CONTROL.test(textAt(row, language))).map((path) => ({
    path,
    message: 'must be plain text',
    code: 'not_plain_text',
  }));
}

function textAt(row: unknown, key: string): string {
  const value = valueAt(row, [key]);
  return typeof value === 'string' ? value.trim() : '';
}

/** Beside its name, a template has only texts, each by its language. */
const storedList = z.array(z.object({ name: z.string() }).catchall(z.string()));
const storedSchema: z.ZodType<ReasonTemplates> = z.object({ ask: storedList, reject: storedList });

/** Parses stored templates. Bounds are not checked, because they may have been other ones. @throws Error for another shape */
export function parseStoredTemplates(value: JsonObject): ReasonTemplates {
  const parsed = storedSchema.safeParse(value);
  if (!parsed.success) throw new Error(`reason_templates has no ${parsed.error.issues[0]?.path.join('.')}`);
  return parsed.data;
}

/** Returns the language in which a subject is written to. @param locale of the verification */
export function languageForSubject(locale: string | null): Language {
  return knownLanguage(locale) ?? DEFAULT_LANGUAGE;
}

/** Returns the text of a template in a language, or in another one if that is missing, and the language of the text. */
export function textOfTemplate(
  template: ReasonTemplate,
  language: Language,
): { readonly text: string; readonly language: Language } {
  const found = [language, ...LANGUAGES].find((each) => template[each] !== undefined) ?? language;
  return { text: template[found] ?? '', language: found };
}
