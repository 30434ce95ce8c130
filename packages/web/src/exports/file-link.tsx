import { type ExportedFile, exportedPath } from '@countersign/domain/exports';
import type { FC } from 'hono/jsx';
import { utcDayInWords } from '../site/days.ts';
import { sizeInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';

/** Links to a file beside the document, by what it shows. */
export const ExportedFileLink: FC<{ file: ExportedFile; page: Page }> = ({ file, page: { t } }) => (
  <a href={exportedPath(file)}>{t(`wording:kind.${file.kind}`)}</a>
);

/** A file with its name, size and time. */
export const FileLine: FC<{ file: ExportedFile; page: Page }> = (props) => (
  <>
    <ExportedFileLink {...props} /> <FileFacts {...props} />
  </>
);

/** Name, size and time of a file. */
export const FileFacts: FC<{ file: ExportedFile; page: Page }> = ({ file, page, page: { t, language } }) => {
  const moment = utcDayInWords(new Date(file.uploadedAt), page);
  const uploaded = t('exports:document.uploads.uploadedAt', { moment });
  return <span class="quiet">{[file.name, sizeInWords(file.size, language), uploaded].join(', ')}</span>;
};
