import type { DocumentView, JsonObject, JsonValue, OpenedVerification, StepView } from '@countersign/domain';
import { isDrawn } from '@countersign/domain/evidence';
import { stepOf } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { Card, Tiles } from '../../parts/blocks.tsx';
import { Drawing, type DrawingName } from '../../parts/drawing.tsx';
import { Facts, Moment, Section } from '../../parts/page-parts.tsx';
import { sizeInWords } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import { type AnswerRow, answerRows } from '../../staff/answer-rows.ts';
import { FileLinks, Thumbnail } from './files.tsx';
import { StepStatus } from './history.tsx';

interface Props {
  readonly opened: Pick<OpenedVerification, 'flow' | 'submittedData' | 'documents' | 'steps'>;
  readonly page: Page;
}

/** The submitted data, a card for each step, or a note that the role does not include it. */
export const SubmittedData: FC<Props> = ({ opened, page }) => {
  const { t } = page;
  const { flow, submittedData, documents, steps } = opened;
  const answered = steps.flatMap((step) => {
    const answers = submittedData?.[step.key];
    return isObject(answers)
      ? [{ step, rows: answerRows(stepOf(flow, step.key)?.fields ?? {}, answers, page) }]
      : [];
  });
  return (
    <Section id="data" title={t('dashboard:verifications.data.title')}>
      {answered.length > 0 ? null : (
        <p class="card quiet">
          {t(
            submittedData === null
              ? 'dashboard:verifications.data.notForYou'
              : 'dashboard:verifications.data.none',
          )}
        </p>
      )}
      {answered.map(({ step, rows }) => (
        <StepData step={step} rows={rows} documents={documents ?? []} page={page} />
      ))}
    </Section>
  );
};

const StepData: FC<{
  step: StepView;
  rows: readonly AnswerRow[];
  documents: readonly DocumentView[];
  page: Page;
}> = ({ step, rows, documents, page }) => (
  <section class="card" aria-labelledby={`step-${step.key}`}>
    <div class="card-head">
      <h3 id={`step-${step.key}`}>{page.t(`wording:step.${step.key}`)}</h3>
      <small class="quiet">
        <StepStatus {...step} page={page} />
      </small>
    </div>
    <Facts
      items={rows.map(({ label, value, fileId }) => [
        label,
        <span class="as-typed">
          <bdi>{fileId === null ? value : fileInWords(fileId, documents, page)}</bdi>
        </span>,
      ])}
    />
  </section>
);

/** Describes the file of a field by its kind and size. */
function fileInWords(fileId: string, documents: readonly DocumentView[], { t, language }: Page): string {
  const file = documents.find(({ id }) => id === fileId);
  if (file === undefined) return t('dashboard:verifications.documents.one');
  return `${t(`wording:kind.${file.kind}`)} (${sizeInWords(file.size, language)})`;
}

/** What is drawn instead of a file that the caller may not read, or that has no picture. */
const DRAWINGS: Readonly<Partial<Record<DocumentView['kind'], DrawingName>>> = {
  document_front: 'front',
  document_back: 'back',
  selfie: 'selfie',
};

/** The files by kind, format and size; small, and with links to them, where the caller may read them. */
export const Documents: FC<Props & { filesOf?: string | undefined }> = ({
  opened: { documents },
  filesOf,
  page,
}) => {
  const { t, language } = page;
  if (documents === null || documents.length === 0) return null;
  return (
    <Card id="documents" title={t('dashboard:verifications.documents.title')}>
      <Tiles
        tiles={documents.map((file) => ({
          picture:
            filesOf !== undefined && isDrawn(file) ? (
              <Thumbnail file={file} verificationId={filesOf} page={page} />
            ) : (
              <Drawing page={page} name={DRAWINGS[file.kind] ?? 'proof'} />
            ),
          title: t(`wording:kind.${file.kind}`),
          text: (
            <>
              {FORMATS[file.contentType]} · {sizeInWords(file.size, language)} ·{' '}
              <Moment at={new Date(file.uploadedAt)} page={page} />
            </>
          ),
          links: filesOf === undefined ? null : <FileLinks file={file} verificationId={filesOf} page={page} />,
        }))}
      />
    </Card>
  );
};

/** Names of formats, the same in every language. */
const FORMATS: Readonly<Record<DocumentView['contentType'], string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'application/pdf': 'PDF',
};

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
