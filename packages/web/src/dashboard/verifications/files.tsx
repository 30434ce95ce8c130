import { type DocumentView, isCountersignError } from '@countersign/domain';
import { exportVerificationData, readVerificationFile } from '@countersign/domain/actions';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { Icon } from '../../parts/icon.tsx';
import { answerDownload, type Download, downloaderOf } from '../../site/download.ts';
import { type AskedFile, fileDownload } from '../../site/file-answer.ts';
import type { Page } from '../../site/page.ts';
import { zipDownload } from '../../site/zip.ts';
import { redirectTo, type StaffEnv } from '../../staff/area.tsx';
import { filePath, verificationPath } from '../paths.ts';

/** Serves a zip of the verification with its files. */
export const verificationExport: Handler<StaffEnv, '/:verificationId/export'> = (context) => {
  const verificationId = context.req.param('verificationId');
  return whileOpen(context, verificationId, async () => {
    const { name, entries } = await context.get('as').run(exportVerificationData, { verificationId });
    return zipDownload(name, entries);
  });
};

/** Serves a file or a part of it. A picture is shown, a PDF downloaded. */
export function answerFile(context: Context<StaffEnv>, file: AskedFile): Promise<Response> {
  return whileOpen(context, file.verificationId, async () =>
    fileDownload(await context.get('as').run(readVerificationFile, file)),
  );
}

/**
 * Answers with a download. Leads back to the page of the verification, which says why, if access was switched off or the data was hidden
 * meanwhile.
 */
async function whileOpen(
  context: Context<StaffEnv>,
  verificationId: string,
  open: () => Promise<Download>,
): Promise<Response> {
  try {
    return await answerDownload(context, context.get('site'), downloaderOf(context.get('user')), open);
  } catch (error) {
    const isClosed =
      isCountersignError(error, 'FILES_SWITCHED_OFF') || isCountersignError(error, 'ILLEGAL_TRANSITION');
    if (isClosed) return redirectTo(context, verificationPath(verificationId));
    throw error;
  }
}

/** A button that downloads the verification with its files. */
export const ExportButton: FC<{ verificationId: string; page: Page }> = ({ verificationId, page }) => {
  const { t, href } = page;
  return (
    <form method="get" action={href(verificationPath(verificationId, 'export'))}>
      <button type="submit" class="secondary" title={t('dashboard:verifications.documents.exportHint')}>
        <Icon page={page} name="download" />
        {t('dashboard:verifications.documents.export')}
      </button>
    </form>
  );
};

interface FileProps {
  readonly file: DocumentView;
  readonly verificationId: string;
  readonly page: Page;
}

/** A small picture of a file, read as the page shows it. */
export const Thumbnail: FC<FileProps> = ({ file, verificationId, page: { href } }) => (
  <img src={href(filePath(verificationId, file.id, 'thumbnail'))} alt="" loading="lazy" />
);

/** Links to a file: to the picture or to the drawn pages of a PDF, which open in a new tab, and to its download. */
export const FileLinks: FC<FileProps> = (props) => {
  const { file, verificationId, page } = props;
  const { t, href } = page;
  const { id, kind, contentType, pages = 0 } = file;
  const what = t(`wording:kind.${kind}`);
  const address = href(filePath(verificationId, id));
  const drawn = Array.from({ length: pages }, (_, index) => index + 1);
  return (
    <ul class="buttons">
      {contentType === 'application/pdf' ? null : (
        <li>
          <a href={address} target="_blank" rel="noopener">
            {t('dashboard:verifications.documents.view')} <span class="visually-hidden">{what}</span>
          </a>
        </li>
      )}
      {drawn.map((number) => (
        <li>
          <a href={href(filePath(verificationId, id, number))} target="_blank" rel="noopener">
            {t('dashboard:verifications.documents.viewPage', { number, total: pages })}{' '}
            <span class="visually-hidden">{what}</span>
          </a>
        </li>
      ))}
      <li>
        <a href={address} download>
          {t('dashboard:verifications.documents.download')} <span class="visually-hidden">{what}</span>
        </a>
      </li>
    </ul>
  );
};
