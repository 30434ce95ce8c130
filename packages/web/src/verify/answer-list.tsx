import type { JsonObject, JsonValue, StepKey, Verification } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { answersSoFar } from './answers.ts';
import { answerInWords } from './fields/answer-in-words.ts';
import type { FieldSpec, RowsSpec } from './fields/field-spec.ts';
import { namesOf } from './page-names.ts';
import type { StepPage } from './step-page.ts';
import { valueAt } from './value-at.ts';
import { CHECK, isOpen, pagesNeeded, verifyPath } from './way.ts';

/** The answers of one step, page by page, each with a link to change it while that is possible. */
export const AnswerList: FC<{ page: Page; verification: Verification; step: StepKey }> = (props) => {
  const { page, verification, step } = props;
  const pages = pagesNeeded(verification, step).filter(({ slug }) => slug !== 'consent');
  if (pages.length === 0) return null;
  const { t, href } = page;
  const open = isOpen(verification, step);
  const answers = answersSoFar(verification, step);
  return (
    <section class="answers">
      <h2>{t(`verify:steps.${step}`)}</h2>
      {pages.map((stepPage) => (
        <div class="answer-page">
          <dl>
            {linesOf(page, verification, stepPage, answers).map(({ label, words }) => (
              <div>
                <dt>{label}</dt>
                <dd>{words.length === 0 ? <span class="quiet">{t('site:none')}</span> : words.map(Line)}</dd>
              </div>
            ))}
          </dl>
          {open ? (
            <a href={`${href(verifyPath(verification, stepPage.slug))}?from=${CHECK}`}>
              {t('site:change')}
              <span class="visually-hidden">: {t(`verify:pages.${stepPage.slug}.title`)}</span>
            </a>
          ) : null}
        </div>
      ))}
    </section>
  );
};

function Line(words: string) {
  return <p class="user-text">{words}</p>;
}

interface AnswerLine {
  readonly label: string;
  readonly words: readonly string[];
}

function linesOf(
  page: Page,
  { type }: Verification,
  stepPage: StepPage,
  answers: JsonObject,
): readonly AnswerLine[] {
  const { t } = page;
  if (stepPage.kind === 'form') return stepPage.fields.flatMap((field) => linesOfField(page, field, answers));
  const given = namesOf(type, stepPage).some((name) => valueAt(answers, name) !== undefined);
  return [{ label: t(`verify:pages.${stepPage.slug}.title`), words: given ? [t('verify:check.fileAdded')] : [] }];
}

function linesOfField(page: Page, field: FieldSpec, answers: JsonObject): readonly AnswerLine[] {
  const { t } = page;
  const value = valueAt(answers, field.name);
  if (field.as === 'rows') return rowsInWords(page, field, value);
  if (field.as === 'other_address' && value !== undefined) {
    return field.fields.flatMap((part) => linesOfField(page, part, answers));
  }
  const label = t(`verify:fields.${field.label}`);
  if (field.as === 'other_address') return [{ label, words: [t('verify:addressChoices.same')] }];
  if (field.as === 'statement' && value === undefined) return [];
  return [{ label, words: answerInWords(page, field, value) }];
}

function rowsInWords(page: Page, field: RowsSpec, value: JsonValue | undefined): readonly AnswerLine[] {
  if (!Array.isArray(value)) return [];
  return value.map((person: JsonObject, index) => ({
    label: page.t(`verify:rows.${field.label}`, { number: index + 1 }),
    words: field.fields.map((part) => {
      const words = answerInWords(page, part, person[part.name]).join(', ');
      return `${page.t(`verify:fields.${part.label}`)}: ${words}`;
    }),
  }));
}
