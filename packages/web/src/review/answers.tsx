import { type MarkedAnswer, markedAnswers, readAnswers } from '@countersign/domain';
import { isStepCompleted, isWithin, type StepKey, stepOf, stepsOf } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { Moment } from '../parts/page-parts.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { type AnswerRow, answerRows } from '../staff/answer-rows.ts';
import { AskBox } from './ask-box.tsx';
import { answerId } from './paths.ts';
import { FileLink, shotName } from './pictures.tsx';
import { MarkLegend, ReadingMark, ReadValue } from './reading-marks.tsx';
import type { ReviewView } from './review-view.ts';
import { type Shot, shotsOf } from './shots.ts';
import { WarningMark } from './warnings.tsx';

/** Steps that say nothing about the subject: they come last. */
const LAST: readonly StepKey[] = ['consent', 'attestation'];

/** Up to here, a row stands beside its picture only; the stylesheet names each of them. */
const SWAPPED_MAX = 9;

/**
 * Lists the subject's answers: first those to the step of the picture in view, with what the document says of other steps, then the
 * other steps, folded. Earlier answers of a step that was redone follow the current ones.
 */
export const Answers: FC<{ view: ReviewView }> = ({ view }) => {
  const { page, reviewed } = view;
  const { verification, readings } = reviewed;
  const marks = markedAnswers(verification, readings);
  const printed = readAnswers(verification);
  const shots = shotsOf(verification);
  const steps = stepsOf(verification.flow).filter((step) => verification.steps[step] !== undefined);
  const shown = [...new Set(shots.flatMap(({ step }) => step ?? []))];
  const [first] = shown;
  const isPrinted = (step: StepKey, path: string): boolean =>
    printed.some((each) => each.step === step && each.path === path);
  // Answers to other steps that the document has too: they stand beside its pictures.
  const beside = steps.filter((step) => !shown.includes(step) && printed.some((each) => each.step === step));
  const rest = steps.filter((step) => !shown.includes(step));
  const sorted = [...rest.filter((step) => !LAST.includes(step)), ...rest.filter((step) => LAST.includes(step))];
  return (
    <div id="answers">
      {shown.map((step) => (
        <section class={`rows ${classesOf(shots, step)}`} id={answerId(step, '')} tabindex={-1}>
          <h3>
            {titleOf(shots, step, page)} <StepState view={view} step={step} />
          </h3>
          <AnswerTable view={view} step={step} marks={marks} />
          {step === first
            ? beside.map((other) => (
                <AnswerTable view={view} step={other} marks={marks} only={(path) => isPrinted(other, path)} />
              ))
            : null}
          <StepWarnings view={view} step={step} />
        </section>
      ))}
      <MarkLegend marks={marks} page={page} />
      {sorted.map((step) => (
        <FoldedStep
          view={view}
          step={step}
          marks={marks}
          only={(path) => first === undefined || !isPrinted(step, path)}
        />
      ))}
      {steps.length === 0 ? <p class="quiet">{page.t('review:case.unanswered')}</p> : null}
    </div>
  );
};

/** Names the pictures in the film strip beside which the answers to a step stand. */
function classesOf(shots: readonly Shot[], step: StepKey): string {
  const own = shots.filter((shot) => shot.step === step);
  return own.some(({ number }) => number > SWAPPED_MAX) ? '' : own.map(({ number }) => `for-${number}`).join(' ');
}

function titleOf(shots: readonly Shot[], step: StepKey, page: ReviewView['page']): string {
  const own = shots.filter((shot) => shot.step === step);
  const [only] = own;
  return own.length === 1 && only !== undefined ? shotName(only, page) : page.t(`wording:step.${step}`);
}

function rowsOfStep({ page, reviewed }: Pick<ReviewView, 'page' | 'reviewed'>, step: StepKey): AnswerRow[] {
  const { flow, steps } = reviewed.verification;
  return answerRows(stepOf(flow, step)?.fields ?? {}, steps[step]?.answers ?? {}, page);
}

const StepState: FC<{ view: ReviewView; step: StepKey }> = ({ view: { page, reviewed }, step }) =>
  isStepCompleted(reviewed.verification, step) ? null : (
    <Badge tone="warn" page={page}>
      {page.t('review:case.askedAgain')}
    </Badge>
  );

/** Shows the warnings about a step as a whole. */
const StepWarnings: FC<{ view: ReviewView; step: StepKey }> = ({ view, step }) => (
  <>
    {view.reviewed.warnings
      .filter((warning) => warning.step === step && warning.path === '')
      .map((warning) => (
        <WarningMark view={view} warning={warning} />
      ))}
  </>
);

interface TableProps {
  readonly view: ReviewView;
  readonly step: StepKey;
  /** The answers that a reading could have given. */
  readonly marks: readonly MarkedAnswer[];
  /** Which rows are shown. Default all. */
  readonly only?: (path: string) => boolean;
}

/** How many answers the line of a folded step shows. */
const PREVIEWED = 3;

/** Shows a step folded, with its first answers in its line; open if something in it is unusual. */
const FoldedStep: FC<TableProps & { only: (path: string) => boolean }> = (props) => {
  const { view, step, only } = props;
  const { page, reviewed } = view;
  const rows = rowsOfStep(view, step).filter(({ path }) => only(path));
  const isUnusual =
    !isStepCompleted(reviewed.verification, step) ||
    reviewed.warnings.some((warning) => warning.step === step && only(warning.path)) ||
    reviewed.verification.earlierAnswers.some((earlier) => earlier.step === step);
  if (rows.length === 0 && !isUnusual) return null;
  const values = rows.filter(({ fileId }) => fileId === null).map(({ value }) => value);
  return (
    <details class="case-fold" id={answerId(step, '')} open={isUnusual} tabindex={-1}>
      <summary>
        <span>{page.t(`wording:step.${step}`)}</span> <StepState view={view} step={step} />
        <bdi class="quiet">{values.slice(0, PREVIEWED).join(', ')}</bdi>
      </summary>
      <AnswerTable {...props} />
      <StepWarnings view={view} step={step} />
    </details>
  );
};

const AnswerTable: FC<TableProps> = ({ view, step, marks, only = () => true }) => {
  const { page, reviewed } = view;
  const { t } = page;
  const { verification } = reviewed;
  const completedAt = verification.steps[step]?.completedAt ?? '';
  const fields = stepOf(verification.flow, step)?.fields ?? {};
  const earlier = verification.earlierAnswers
    .filter((answers) => answers.step === step)
    .toReversed()
    .map(({ answers, completedAt: at }) => ({ at, rows: answerRows(fields, answers, page) }));
  const rows = mergedRows([rowsOfStep(view, step), ...earlier.map(({ rows: each }) => each)]).filter(({ path }) =>
    only(path),
  );
  const markAt = (path: string) => marks.find((each) => each.step === step && each.path === path);
  const isRead = rows.some(({ path }) => markAt(path) !== undefined);
  const columns: readonly Column<MergedRow>[] = [
    {
      title: t('review:case.field'),
      isRowHeader: true,
      cell: ({ path, label, cells }) => (
        <>
          <AskBox view={view} step={step} path={path} paths={rows.map((row) => row.path)} />
          {label}{' '}
          {isChanged(cells) ? (
            <Badge tone="info" page={page}>
              {t('review:case.changed')}
            </Badge>
          ) : null}
        </>
      ),
    },
    {
      title: t('review:case.now'),
      note: <Moment at={new Date(completedAt)} page={page} />,
      cell: ({ path, cells }) => (
        <>
          <Cell cell={cells[0]} view={view} />
          {reviewed.warnings
            .filter((warning) => warning.step === step && isWithin(warning.path, path))
            .map((warning) => (
              <WarningMark view={view} warning={warning} shown={markAt(path)?.read} />
            ))}
        </>
      ),
    },
    ...(isRead
      ? [
          {
            title: t('review:case.read'),
            class: 'read',
            cell: ({ path }: MergedRow) => {
              const marked = markAt(path);
              return marked === undefined ? '' : <ReadValue marked={marked} page={page} />;
            },
          },
          {
            title: t('review:case.mark'),
            class: 'mark',
            isClear: true as const,
            cell: ({ path }: MergedRow) => {
              const marked = markAt(path);
              return marked === undefined ? '' : <ReadingMark mark={marked.mark} page={page} />;
            },
          },
        ]
      : []),
    ...earlier.map(({ at }, index) => ({
      title: t('review:case.before'),
      note: <Moment at={new Date(at)} page={page} />,
      cell: ({ cells }: MergedRow) => <Cell cell={cells[index + 1]} view={view} />,
    })),
  ];
  return (
    <Table
      class={`answers${earlier.length > 0 ? ' has-earlier' : ''}${isRead ? ' is-read' : ''}`}
      label={t(`wording:step.${step}`)}
      rows={rows}
      columns={columns}
      {...(earlier.length === 0 && !isRead && { head: 'hidden' })}
      rowAttributes={({ path, cells }) => ({
        id: answerId(step, path),
        class: isChanged(cells) ? 'is-changed' : undefined,
        tabindex: -1,
      })}
    />
  );
};

const Cell: FC<{ cell: AnswerRow | undefined; view: ReviewView }> = ({ cell, view: { page, reviewed } }) => {
  if (cell === undefined) return <span class="quiet">{page.t('wording:value.absent')}</span>;
  const { files, id } = reviewed.verification;
  const file = files.find((candidate) => candidate.id === cell.fileId);
  return file === undefined ? (
    <bdi>{cell.value}</bdi>
  ) : (
    <FileLink file={file} verificationId={id} page={page} hasFlags={false} />
  );
};

interface MergedRow {
  readonly path: string;
  readonly label: string;
  /** Returns the current answer, then the earlier ones, newest first; undefined for a missing answer. */
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
