import type { JsonObject } from '@countersign/domain';
import type { ExportedFile, PersonalData } from '@countersign/domain/exports';
import { type Flow, type StepKey, stepOf, stepsOf } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { stepName } from '../forms/step-name.ts';
import { Facts, Section } from '../parts/page-parts.tsx';
import { utcDayInWords } from '../site/days.ts';
import type { Page } from '../site/page.ts';
import { answerRows } from '../staff/answer-rows.ts';
import { ExportedFileLink } from './file-link.tsx';

interface AnswersProps {
  readonly data: PersonalData;
  /** Files of the data that are not beside the document. */
  readonly unreadable: readonly ExportedFile[];
  readonly flow: Flow;
  readonly page: Page;
}

/** One set of answers to a step. */
interface Version {
  readonly caption: string;
  readonly answers: JsonObject;
}

/** Lists every answer by step: the current ones, a draft, and the earlier ones, newest first. */
export const Answers: FC<AnswersProps> = (props) => {
  const { data, flow, page } = props;
  const { t } = page;
  const answered = stepsOf(flow)
    .map((step) => ({ step, versions: versionsOf(step, data, page) }))
    .filter(({ versions }) => versions.length > 0);
  return (
    <Section id="answers" title={t('exports:document.answers.title')}>
      {answered.length === 0 ? <p class="quiet">{t('exports:document.answers.none')}</p> : null}
      {answered.map(({ step, versions }) => (
        <>
          <h3>{stepName(t, step, flow.type)}</h3>
          {versions.map(({ caption, answers }) => (
            <>
              <p class="quiet">{caption}</p>
              <AnswerFacts {...props} answers={answers} step={step} />
            </>
          ))}
        </>
      ))}
    </Section>
  );
};

function versionsOf(step: StepKey, data: PersonalData, page: Page): readonly Version[] {
  const { t } = page;
  const inWords = (moment: string) => utcDayInWords(new Date(moment), page);
  const { verification, drafts, earlierAnswers } = data;
  const { [step]: current } = verification.submittedData;
  const answeredAt = verification.steps.find(({ key }) => key === step)?.completedAt ?? null;
  const draft = drafts[step];
  const earlier = earlierAnswers.filter((answers) => answers.step === step).toReversed();
  return [
    ...(current === undefined || answeredAt === null
      ? []
      : [
          {
            caption: t('exports:document.answers.answeredAt', { moment: inWords(answeredAt) }),
            answers: current as JsonObject,
          },
        ]),
    ...(draft === undefined ? [] : [{ caption: t('exports:document.answers.draft'), answers: draft }]),
    ...earlier.map(({ answers, completedAt, replacedAt }) => ({
      caption: t('exports:document.answers.earlier', { from: inWords(completedAt), until: inWords(replacedAt) }),
      answers,
    })),
  ];
}

const AnswerFacts: FC<AnswersProps & { answers: JsonObject; step: StepKey }> = (props) => {
  const { answers, step, data, unreadable, flow, page } = props;
  const { t } = page;
  const rows = answerRows(stepOf(flow, step)?.fields ?? {}, answers, page);
  return (
    <Facts
      items={rows.map(({ label, value, fileId }) => {
        if (fileId === null) return [label, <bdi class="as-typed">{value}</bdi>] as const;
        const file = data.files.find(({ id }) => id === fileId);
        if (file === undefined) return [label, t('exports:document.answers.noFile')] as const;
        if (unreadable.includes(file)) return [label, t('exports:document.answers.notReadable')] as const;
        return [label, <ExportedFileLink file={file} page={page} />] as const;
      })}
    />
  );
};
