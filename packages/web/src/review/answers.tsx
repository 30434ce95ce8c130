import { type MarkedAnswer, markedAnswers } from '@countersign/domain';
import type { EvidenceFile } from '@countersign/domain/evidence';
import { isStepCompleted, type StepKey, stepOf, stepsOf } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { Moment, Section } from '../parts/page-parts.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { type AnswerRow, answerRows } from '../staff/answer-rows.ts';
import { answerId } from './paths.ts';
import { FileLink } from './pictures.tsx';
import { MarkLegend, ReadingMark, ReadValue } from './reading-marks.tsx';
import type { ReviewView } from './review-view.ts';
import { isAt, WarningMark } from './warnings.tsx';

/** Lists the subject's answers by step. Earlier answers of a step that was redone follow the current ones. */
export const Answers: FC<{ view: ReviewView }> = ({ view }) => {
  const { page, reviewed } = view;
  const marks = markedAnswers(reviewed.verification, reviewed.readings);
  return (
    <Section id="answers" title={page.t('review:case.data')}>
      <MarkLegend marks={marks} page={page} />
      {stepsOf(reviewed.verification.flow).map((step) => (
        <StepAnswers view={view} step={step} marks={marks.filter((marked) => marked.step === step)} />
      ))}
    </Section>
  );
};

interface StepProps {
  readonly view: ReviewView;
  readonly step: StepKey;
  /** The answers of the step that a reading could have given. */
  readonly marks: readonly MarkedAnswer[];
}

const StepAnswers: FC<StepProps> = ({ view, step, marks }) => {
  const { page, reviewed } = view;
  const { t } = page;
  const { verification } = reviewed;
  const completed = verification.steps[step];
  const title = t(`wording:step.${step}`);
  const isOpen = completed !== undefined && !isStepCompleted(verification, step);
  return (
    <section id={answerId(step, '')} class="step" tabindex={-1}>
      <h3>
        {title}{' '}
        {isOpen ? (
          <Badge tone="warn" page={page}>
            {t('review:case.askedAgain')}
          </Badge>
        ) : null}
      </h3>
      {completed === undefined ? (
        <p class="quiet">{t('review:case.unanswered')}</p>
      ) : (
        <AnswerTable view={view} step={step} marks={marks} title={title} completedAt={completed.completedAt} />
      )}
      {reviewed.warnings
        .filter((warning) => warning.step === step && warning.path === '')
        .map((warning) => (
          <WarningMark view={view} warning={warning} />
        ))}
    </section>
  );
};

const AnswerTable: FC<StepProps & { title: string; completedAt: string }> = (props) => {
  const { view, step, marks, title, completedAt } = props;
  const { page, reviewed } = view;
  const { t } = page;
  const { verification } = reviewed;
  const fields = stepOf(verification.flow, step)?.fields ?? {};
  const now = answerRows(fields, verification.steps[step]?.answers ?? {}, page);
  const earlier = verification.earlierAnswers
    .filter((answers) => answers.step === step)
    .toReversed()
    .map(({ answers, completedAt: at }) => ({ at, rows: answerRows(fields, answers, page) }));
  const rows = mergedRows([now, ...earlier.map(({ rows: each }) => each)]);
  const columns: readonly Column<MergedRow>[] = [
    {
      title: t('review:case.field'),
      isRowHeader: true,
      cell: ({ label, cells }) => (
        <>
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
      cell: ({ path, cells }) => {
        const marked = marks.find((each) => each.path === path);
        return (
          <>
            <Cell cell={cells[0]} view={view} />
            {marked === undefined ? null : <ReadingMark mark={marked.mark} page={page} />}
            {marked === undefined ? null : <ReadValue marked={marked} page={page} />}
            {reviewed.warnings
              .filter((warning) => warning.step === step && isAt(warning.path, path))
              .map((warning) => (
                <WarningMark view={view} warning={warning} shown={marked?.read} />
              ))}
          </>
        );
      },
    },
    ...earlier.map(({ at }, index) => ({
      title: t('review:case.before'),
      note: <Moment at={new Date(at)} page={page} />,
      cell: ({ cells }: MergedRow) => <Cell cell={cells[index + 1]} view={view} />,
    })),
  ];
  return (
    <Table
      class={earlier.length > 0 ? 'answers has-earlier' : 'answers'}
      label={title}
      rows={rows}
      columns={columns}
      {...(earlier.length === 0 && { head: 'hidden' })}
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
  const file: EvidenceFile | undefined = files.find((candidate) => candidate.id === cell.fileId);
  return file === undefined ? <bdi>{cell.value}</bdi> : <FileLink file={file} verificationId={id} page={page} />;
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
