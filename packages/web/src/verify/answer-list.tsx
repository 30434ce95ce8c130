import type { JsonObject, JsonValue, Verification } from '@countersign/domain';
import { answersSoFar, type Field, type PlannedPart, type StepKey, valueAt } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { answerInWords } from '../forms/answer-in-words.ts';
import { inFormOrder } from '../forms/arranged-fields.ts';
import { type FieldTexts, otherwiseRead } from '../forms/draw-field.tsx';
import { fillFields } from '../forms/form-answers.ts';
import type { ReadValue } from '../forms/form-state.ts';
import { stepName } from '../forms/step-name.ts';
import { isolated } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { addressTexts } from './address-texts.ts';
import { flowTexts, pageTitle } from './flow-texts.ts';
import { CHECK, openScreen, pagesNeeded, type Shown, verifyPath } from './navigation.ts';
import { sentPicture } from './sent-picture.tsx';

interface StepProps {
  readonly page: Page;
  readonly shown: Shown;
  readonly step: StepKey;
  /** What was read for the answers, by the slug of the screen and the path of the field. */
  readonly read: ReadonlyMap<string, ReadonlyMap<string, ReadValue>>;
}

/**
 * Lists the answers of one step, page by page, each with a link to change it while its screen is open: after a request for action, only
 * the pages that are asked. Leaves out what was left empty.
 */
export const AnswerList: FC<StepProps> = ({ page, shown, step, read }) => {
  const answers = answersSoFar(shown.verification, step);
  const pages = pagesNeeded(shown, step).filter(
    ({ part }) => part.isAsked && hasAnswersToCheck(part) && linesOf(page, part, answers).length > 0,
  );
  if (pages.length === 0) return null;
  const { t, href } = page;
  const { verification } = shown;
  return (
    <section class="answers">
      <h2>{stepName(t, step, verification.type)}</h2>
      {pages.map(({ screen, part }) => {
        const open = openScreen(shown, screen) !== null;
        return (
          <div class="answer-page">
            <PartAnswers
              page={page}
              verification={verification}
              part={part}
              read={read.get(screen)}
              withFiles={open}
            />
            {open ? (
              <a href={`${href(verifyPath(verification, screen))}?from=${CHECK}`}>
                {t('site:change')}
                <span class="visually-hidden">: {pageTitle(t, part.slug)}</span>
              </a>
            ) : null}
          </div>
        );
      })}
    </section>
  );
};

interface PartProps {
  readonly page: Page;
  readonly verification: Verification;
  readonly part: PlannedPart;
  /** An answer that differs from what was surely read is marked. */
  readonly read?: ReadonlyMap<string, ReadValue> | undefined;
}

/** Lists the answers of one page. Files of a closed page are not shown to the subject. */
export const PartAnswers: FC<PartProps & { withFiles: boolean }> = (props) => {
  const { page, verification, part, read, withFiles } = props;
  const answers = answersSoFar(verification, part.step);
  const picture = withFiles ? sentPicture({ page, verification, part, answers }) : null;
  return (
    <dl>
      {linesOf(page, part, answers, read).map(({ label, words, note }) => (
        <div>
          <dt>{label}</dt>
          {picture === null ? null : <dd>{picture}</dd>}
          <dd>
            {words.map(Line)}
            {note === undefined ? null : <p class="hint">{note}</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
};

/** Whether the page has answers to list. Statements that every subject confirms are not listed. */
function hasAnswersToCheck({ fields }: PlannedPart): boolean {
  return fields.some(
    ({ field }) => field.by !== 'page' && (field.kind !== 'statement' || field.optional === true),
  );
}

function Line(words: string) {
  return (
    <p class="user-text">
      <bdi>{words}</bdi>
    </p>
  );
}

interface AnswerLine {
  readonly label: string;
  readonly words: readonly string[];
  /** What the document reads, if the answer differs from it. */
  readonly note?: string | undefined;
}

/** Lists the answers of a page that are not empty. */
function linesOf(
  page: Page,
  { slug, step, fields, upload }: PlannedPart,
  answers: JsonObject,
  read?: ReadonlyMap<string, ReadValue>,
): readonly AnswerLine[] {
  if (upload === null) {
    const values = fillFields(fields, answers, true);
    const texts = flowTexts(page.t, step, undefined, addressTexts(page.t, fields, values));
    return inFormOrder(fields, values)
      .flatMap(({ path, field }) => linesOfField(page, texts, path, field, valueAt(answers, path), read))
      .filter(({ words }) => words.length > 0);
  }
  const isAdded = valueAt(answers, upload.path) !== undefined;
  return isAdded ? [{ label: pageTitle(page.t, slug), words: [page.t('verify:check.fileAdded')] }] : [];
}

function linesOfField(
  page: Page,
  texts: FieldTexts,
  path: string,
  field: Field,
  value: JsonValue | undefined,
  read?: ReadonlyMap<string, ReadValue>,
): readonly AnswerLine[] {
  const { t } = page;
  if (field.kind === 'rows') return rowsInWords(page, texts, path, field, value);
  if (field.kind === 'group' && (field.sameAs === undefined || value !== undefined)) {
    return Object.entries(field.fields).flatMap(([key, part]) =>
      linesOfField(page, texts, `${path}.${key}`, part, valueAt(value, key), read),
    );
  }
  const label = texts.label(path);
  if (field.kind === 'group') return [{ label, words: [t('verify:addressChoices.same')] }];
  if (field.kind === 'statement' && value === undefined) return [];
  const found = read?.get(path);
  const note = found?.isSure && !found.isSame ? otherwiseRead(page, field, found, texts) : undefined;
  return [{ label, words: answerInWords(page, field, value, texts), note }];
}

function rowsInWords(
  page: Page,
  texts: FieldTexts,
  path: string,
  { fields }: Extract<Field, { kind: 'rows' }>,
  value: JsonValue | undefined,
): readonly AnswerLine[] {
  const rows: readonly JsonValue[] = Array.isArray(value) ? value : [];
  return rows.map((row, index) => ({
    label: texts.row(path, index),
    words: Object.entries(fields).flatMap(([key, part]) => {
      const words = answerInWords(page, part, valueAt(row, key), texts).join(', ');
      return words === '' ? [] : [`${texts.label(`${path}.${key}`)}: ${isolated(words)}`];
    }),
  }));
}
