import type { DocumentView, JsonObject, JsonValue, OpenedVerification } from '@countersign/domain';
import { type StepKey, stepOf } from '@countersign/domain/flows';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { Moment, Section } from '../../parts/page-parts.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { sizeInWords } from '../../site/formats.ts';
import { hasMessage } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { type AnswerRow, answerRows } from '../../staff/answer-rows.ts';
import { FileLinks } from './files.tsx';

interface Props {
  readonly opened: Pick<OpenedVerification, 'flow' | 'submittedData' | 'documents' | 'steps'>;
  readonly page: Page;
}

/** The submitted data by step, or a note that the role does not include it. */
export const SubmittedData: FC<Props> = ({ opened, page }) => {
  const { t } = page;
  const { flow, submittedData, documents, steps } = opened;
  const answered = steps.flatMap(({ key }) => {
    const answers = submittedData?.[key];
    return isObject(answers) ? [{ key, rows: answerRows(stepOf(flow, key)?.fields ?? {}, answers, page) }] : [];
  });
  return (
    <Section id="data" title={t('dashboard:verifications.data.title')} class="submitted-data">
      {submittedData === null ? <p>{t('dashboard:verifications.data.notForYou')}</p> : null}
      {submittedData !== null && answered.length === 0 ? (
        <p class="quiet">{t('dashboard:verifications.data.none')}</p>
      ) : null}
      {answered.map(({ key, rows }) => (
        <StepData step={key} rows={rows} documents={documents ?? []} page={page} />
      ))}
    </Section>
  );
};

const StepData: FC<{
  step: StepKey;
  rows: readonly AnswerRow[];
  documents: readonly DocumentView[];
  page: Page;
}> = ({ step, rows, documents, page }) => (
  <>
    <h3>{page.t(`wording:step.${step}`)}</h3>
    <table class="as-cards" aria-label={page.t(`wording:step.${step}`)}>
      <tbody>
        {rows.map(({ label, value, fileId }) => (
          <tr>
            <th scope="row">{label}</th>
            <td class="as-typed">
              <bdi>{fileId === null ? value : fileInWords(fileId, documents, page)}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
);

/** Describes the file of a field by its kind and size. */
function fileInWords(fileId: string, documents: readonly DocumentView[], { t, language }: Page): string {
  const file = documents.find(({ id }) => id === fileId);
  if (file === undefined) return t('dashboard:verifications.documents.one');
  return `${t(`wording:kind.${file.kind}`)} (${sizeInWords(file.size, language)})`;
}

/** The files by kind, format and size; with links to them where the caller may read them. The children follow the list. */
export const Documents: FC<PropsWithChildren<Props & { filesOf?: string | undefined }>> = ({
  opened: { documents },
  filesOf,
  page,
  children,
}) => {
  const { t } = page;
  if (documents === null) return null;
  return (
    <Section id="documents" title={t('dashboard:verifications.documents.title')}>
      {documents.length === 0 ? (
        <p class="quiet">{t('dashboard:verifications.documents.none')}</p>
      ) : (
        <Table
          rows={documents}
          columns={[...documentColumns(page), ...(filesOf === undefined ? [] : [linkColumn(filesOf, page)])]}
        />
      )}
      {children}
    </Section>
  );
};

function linkColumn(verificationId: string, page: Page): Column<DocumentView> {
  return {
    title: page.t('dashboard:verifications.documents.file'),
    cell: (file) => <FileLinks file={file} verificationId={verificationId} page={page} />,
  };
}

function documentColumns(page: Page): readonly Column<DocumentView>[] {
  const { t, language } = page;
  return [
    {
      title: t('dashboard:verifications.documents.kind'),
      isRowHeader: true,
      cell: ({ kind }) => t(`wording:kind.${kind}`),
    },
    {
      title: t('dashboard:verifications.step'),
      cell: ({ step }) => {
        const key = `wording:step.${step}`;
        return hasMessage(key) ? t(key) : step;
      },
    },
    { title: t('dashboard:verifications.documents.format'), cell: ({ contentType }) => FORMATS[contentType] },
    { title: t('dashboard:verifications.documents.size'), cell: ({ size }) => sizeInWords(size, language) },
    {
      title: t('dashboard:verifications.documents.uploaded'),
      cell: ({ uploadedAt }) => <Moment at={new Date(uploadedAt)} page={page} />,
    },
  ];
}

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
