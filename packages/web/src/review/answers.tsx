import { type EvidenceFile, isStepCompleted, type StepKey, stepOf, stepsOf } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { type AnswerRow, answerRows } from '../staff/answer-rows.ts';
import { Moment } from '../staff/moment.tsx';
import type { CaseView } from './case-view.ts';
import { answerId } from './paths.ts';
import { FileLink } from './pictures.tsx';
import { isAt, WarningMark } from './warnings.tsx';

/** What the subject answered, step by step; of a step that was done again, the earlier answers beside the new ones. */
export const Answers: FC<{ view: CaseView }> = ({ view }) => (
  <section aria-labelledby="answers-title">
    <h2 id="answers-title">{view.page.t('review:case.data')}</h2>
    {stepsOf(view.reviewCase.verification.flow).map((step) => (
      <StepAnswers view={view} step={step} />
    ))}
  </section>
);

const StepAnswers: FC<{ view: CaseView; step: StepKey }> = ({ view, step }) => {
  const { page, reviewCase } = view;
  const { t } = page;
  const { verification } = reviewCase;
  const completed = verification.steps[step];
  const title = t(`wording:step.${step}`);
  const isOpen = completed !== undefined && !isStepCompleted(verification, step);
  return (
    <section id={answerId(step, '')} class="step" tabindex={-1}>
      <h3>
        {title} {isOpen ? <span class="badge status-action_needed">{t('review:case.askedAgain')}</span> : null}
      </h3>
      {completed === undefined ? (
        <p class="quiet">{t('review:case.unanswered')}</p>
      ) : (
        <AnswerTable view={view} step={step} title={title} completedAt={completed.completedAt} />
      )}
      {reviewCase.warnings
        .filter((warning) => warning.step === step && warning.path === '')
        .map((warning) => (
          <WarningMark page={page} warning={warning} />
        ))}
    </section>
  );
};

const AnswerTable: FC<{ view: CaseView; step: StepKey; title: string; completedAt: string }> = (props) => {
  const { view, step, title, completedAt } = props;
  const { page, reviewCase } = view;
  const { t } = page;
  const { verification } = reviewCase;
  const fields = stepOf(verification.flow, step)?.fields ?? {};
  const now = answerRows(fields, verification.steps[step]?.answers ?? {}, page);
  const earlier = verification.earlierAnswers
    .filter((answers) => answers.step === step)
    .toReversed()
    .map(({ answers, completedAt: at }) => ({ at, rows: answerRows(fields, answers, page) }));
  return (
    <table class={earlier.length > 0 ? 'answers has-earlier' : 'answers'} aria-label={title}>
      <thead class={earlier.length > 0 ? undefined : 'visually-hidden'}>
        <tr>
          <th scope="col">{t('review:case.field')}</th>
          <th scope="col">
            {t('review:case.now')}{' '}
            <small>
              <Moment at={new Date(completedAt)} page={page} />
            </small>
          </th>
          {earlier.map(({ at }) => (
            <th scope="col">
              {t('review:case.before')}{' '}
              <small>
                <Moment at={new Date(at)} page={page} />
              </small>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {mergedRows([now, ...earlier.map(({ rows }) => rows)]).map(({ path, label, cells }) => (
          <tr id={answerId(step, path)} class={isChanged(cells) ? 'is-changed' : undefined} tabindex={-1}>
            <th scope="row">
              {label} {isChanged(cells) ? <span class="badge">{t('review:case.changed')}</span> : null}
            </th>
            {cells.map((cell, column) => (
              <td data-label={t(column === 0 ? 'review:case.now' : 'review:case.before')}>
                <Cell cell={cell} view={view} />
                {column > 0
                  ? null
                  : reviewCase.warnings
                      .filter((warning) => warning.step === step && isAt(warning.path, path))
                      .map((warning) => <WarningMark page={page} warning={warning} />)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Cell: FC<{ cell: AnswerRow | undefined; view: CaseView }> = ({ cell, view: { page, reviewCase } }) => {
  if (cell === undefined) return <span class="quiet">{page.t('wording:value.absent')}</span>;
  const { files, id } = reviewCase.verification;
  const file: EvidenceFile | undefined = files.find((candidate) => candidate.id === cell.fileId);
  return file === undefined ? <span>{cell.value}</span> : <FileLink file={file} verificationId={id} page={page} />;
};

interface MergedRow {
  readonly path: string;
  readonly label: string;
  /** The answer that stands, then the earlier ones, newest first; undefined where there was none. */
  readonly cells: readonly (AnswerRow | undefined)[];
}

function mergedRows(versions: readonly (readonly AnswerRow[])[]): MergedRow[] {
  const labels = new Map(versions.flat().map(({ path, label }) => [path, label]));
  return [...labels].map(([path, label]) => ({
    path,
    label,
    cells: versions.map((rows) => rows.find((row) => row.path === path)),
  }));
}

function isChanged(cells: MergedRow['cells']): boolean {
  const [now, ...earlier] = cells;
  return earlier.some((cell) => cell?.value !== now?.value);
}
