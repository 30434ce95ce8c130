import { readAnswers, readTexts, ruleOfRead } from '@countersign/domain';
import type { PersonalData } from '@countersign/domain/exports';
import type { Flow } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { Facts, Section } from '../parts/page-parts.tsx';
import { utcDayInWords } from '../site/days.ts';
import type { Page } from '../site/page.ts';
import { answerLabel, entryInWords } from '../staff/answer-rows.ts';

type ReadingOfFile = PersonalData['readings'][number];
type ReadField = keyof ReadingOfFile['fields'];

interface ReadingsProps {
  readonly data: PersonalData;
  readonly flow: Flow;
  readonly page: Page;
}

/** Lists what a program read from pictures of the document. Left out if it read none. */
export const Readings: FC<ReadingsProps> = ({ data: { readings, files }, flow, page }) => {
  const { t } = page;
  if (readings.length === 0) return null;
  return (
    <Section id="readings" title={t('exports:document.readings.title')}>
      <p>{t('exports:document.readings.text')}</p>
      {readings.map((reading) => {
        const kind = files.find(({ id }) => id === reading.fileId)?.kind;
        return (
          <>
            <h3>{kind === undefined ? reading.fileId : t(`wording:kind.${kind}`)}</h3>
            <p class="quiet">
              {t(`exports:document.readings.outcome.${reading.outcome}`, {
                moment: utcDayInWords(reading.readAt, page),
              })}
            </p>
            <Facts items={factsOf(reading, flow, page)} />
          </>
        );
      })}
    </Section>
  );
};

/** What was read, under the names of the fields that it answers. */
function factsOf(reading: ReadingOfFile, flow: Flow, page: Page) {
  const { t } = page;
  const { type, digitsFit } = reading;
  const answers = readAnswers({ flow });
  const fact = (name: ReadField | 'type', value: string) => {
    const answer = answers.find(({ readAs }) => readAs === name);
    const field = name === 'type' ? (answer?.field ?? null) : ruleOfRead(name);
    const words = entryInWords(field, value, page);
    return [answerLabel(answer?.path ?? name, t), <bdi class="as-typed">{words}</bdi>] as const;
  };
  return [
    type === undefined ? null : fact('type', type),
    ...readTexts(reading).map(([name, text]) => fact(name, text)),
    digitsFit === undefined
      ? null
      : ([t('exports:document.readings.digitsFit'), digitsFit ? t('site:yes') : t('site:no')] as const),
  ];
}
