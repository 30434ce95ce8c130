import {
  languageForSubject,
  type ReasonTemplates,
  TEMPLATE_USES,
  type TemplateUse,
  textOfTemplate,
} from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import { FieldFrame, fieldAria } from '../forms/field-parts.tsx';
import { type FormState, fieldId } from '../forms/form-state.ts';
import { createFormValues, type FormValues } from '../forms/form-values.ts';
import { languageInWords } from '../site/formats.ts';
import { isolated } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import type { ReviewView } from './review-view.ts';
import { FIELD, type ReviewAction } from './typed.ts';

/** Where the texts of templates come from: the templates of the client, and the locale of the verification. */
interface Source {
  readonly templates: ReasonTemplates;
  readonly verification: Pick<ReviewView['reviewed']['verification'], 'locale'>;
}

/** Lists the templates for a decision, each with its text for the subject and the language of that text. */
function textsFor(use: TemplateUse, { templates, verification }: Source) {
  const language = languageForSubject(verification.locale);
  return templates[use].map((template) => ({ name: template.name, ...textOfTemplate(template, language) }));
}

/**
 * Draws the choice of a template for the message of a decision, and the button that inserts it. A script hides the button and inserts the
 * text as soon as a template is chosen. Draws nothing for a client without templates.
 */
export const TemplateField: FC<{ use: TemplateUse; source: Source; form: FormState; page: Page }> = (props) => {
  const { use, source, form, page } = props;
  const { t } = page;
  const texts = textsFor(use, source);
  if (texts.length === 0) return null;
  const language = languageForSubject(source.verification.locale);
  const inWords = (tag: string): string => languageInWords(tag, page.language);
  const name = FIELD.template(use);
  const field = {
    form,
    name,
    label: t('review:template.label'),
    hint: t('review:template.hint', { language: inWords(language) }),
    optional: true,
  };
  return (
    <FieldFrame {...field}>
      <div class="insert-template">
        <select
          id={fieldId(name)}
          name={name}
          data-insert-into={fieldId(FIELD.message(use))}
          {...fieldAria(field)}
        >
          <option value="">{t('site:select')}</option>
          {texts.map((each) => (
            <option value={each.name} data-text={each.text}>
              {each.language === language
                ? isolated(each.name)
                : t('review:template.otherLanguage', { name: each.name, language: inWords(each.language) })}
            </option>
          ))}
        </select>
        {/* Enter in a field presses the first button of a form. */}
        <button type="submit" hidden>
          {t('review:act.continue')}
        </button>
        <button type="submit" class="secondary" name={FIELD.insert} value="yes" data-insert>
          {t('review:template.insert')}
        </button>
      </div>
    </FieldFrame>
  );
};

/** A form after the button that inserts a template was pressed, and whether a template was chosen. */
export interface Inserted {
  readonly values: FormValues;
  readonly isChosen: boolean;
}

/** Inserts the chosen template into the message of a form; null if the button for that was not pressed. */
export function insertTemplate(action: ReviewAction, values: FormValues, source: Source): Inserted | null {
  const use = TEMPLATE_USES.find((each) => each === action);
  if (use === undefined || !values.has(FIELD.insert)) return null;
  const texts = textsFor(use, source);
  const chosen = texts.find(({ name }) => name === values.text(FIELD.template(use)));
  const entries = values.entries.filter(([name]) => name !== FIELD.insert);
  if (chosen === undefined) return { values: createFormValues(entries), isChosen: false };
  const message = FIELD.message(use);
  const text = messageWith(
    chosen.text,
    values.text(message),
    texts.map((each) => each.text),
  );
  const others = entries.filter(([name]) => name !== message);
  return { values: createFormValues([...others, [message, text]]), isChosen: true };
}

/** Adds a text to a message, as review-decision.js does. A template's text at the end of the message is replaced. */
function messageWith(text: string, message: string, texts: readonly string[]): string {
  const ends = texts.filter((each) => message.endsWith(each)).map(({ length }) => length);
  const typed = message.slice(0, message.length - Math.max(0, ...ends)).trimEnd();
  return typed === '' ? text : `${typed}\n\n${text}`;
}
