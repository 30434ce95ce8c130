import type { EvidenceFile, EvidenceKind } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { sizeInWords } from '../../site/formats.ts';
import type { MessageKey } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { Uploaded } from './uploaded-files.ts';

export interface TakenPictureProps {
  readonly page: Page;
  readonly evidence: EvidenceKind;
  readonly uploaded: Uploaded & { readonly file: EvidenceFile };
  /** Where the file itself is. */
  readonly source: string;
  /** The page itself: the decision is sent there, and with `?again` it asks for another. */
  readonly action: string;
  /** What the address says of where the subject came from. */
  readonly cameFrom: string | undefined;
}

/** After so many pictures with a warning nobody is asked for another: a reviewer sees it, and the warning. */
const TRIES_WITH_WARNING = 2;

/** Whether the subject is advised to take the picture again. It may always be used as it is. */
function isAdvisedAgain({ file, warnedTries }: Uploaded): boolean {
  return file !== null && file.warnings.length > 0 && warnedTries <= TRIES_WITH_WARNING;
}

/** What the page asks of the file. */
export function takenTitle({ contentType }: EvidenceFile): MessageKey {
  return contentType === 'application/pdf' ? 'capture:taken.titlePdf' : 'capture:taken.title';
}

/** Shows what was uploaded last: use it, or take another. */
export const TakenPicture: FC<TakenPictureProps> = ({ page, evidence, uploaded, source, action, cameFrom }) => {
  const { t } = page;
  const { file, isFromBefore } = uploaded;
  const isPdf = file.contentType === 'application/pdf';
  const advised = isAdvisedAgain(uploaded);
  // What a reviewer asked for again, or what is hard to read, is better replaced than kept.
  const replace = advised || isFromBefore;
  const useText = isPdf ? 'capture:taken.usePdf' : advised ? 'capture:taken.useAnyway' : 'capture:taken.use';
  const use = (
    <form method="post" action={action}>
      <input type="hidden" name="fileId" value={file.id} />
      <button type="submit" class={replace ? 'secondary' : undefined}>
        {t(useText)}
      </button>
    </form>
  );
  const another = (
    <form method="get" action={action}>
      {cameFrom === undefined ? null : <input type="hidden" name="from" value={cameFrom} />}
      <button type="submit" name="again" value="" class={replace ? undefined : 'secondary'}>
        {t(isPdf ? 'capture:taken.againPdf' : 'capture:taken.again')}
      </button>
    </form>
  );
  return (
    <>
      {isFromBefore ? <p>{t('capture:taken.earlier')}</p> : null}
      {advised ? <Warnings page={page} file={file} /> : null}
      {isPdf ? (
        <p>
          <a href={source} download>
            {t('capture:taken.download', { size: sizeInWords(file.size, page.language) })}
          </a>
        </p>
      ) : (
        <>
          <p>{t(evidence === 'selfie' ? 'capture:taken.hintSelfie' : 'capture:taken.hint')}</p>
          <img class="taken-picture" src={source} alt={t(`capture:kind.${evidence}.alt`)} />
        </>
      )}
      <div class="button-row">{replace ? [another, use] : [use, another]}</div>
    </>
  );
};

const Warnings: FC<{ page: Page; file: EvidenceFile }> = ({ page: { t }, file }) => (
  <div class="notice" role="alert">
    <p>
      <strong>{t('capture:taken.warning')}</strong>
    </p>
    <ul>
      {file.warnings.map((warning) => (
        <li>{t(`capture:warning.${warning}`)}</li>
      ))}
    </ul>
    <p>{t('capture:warning.mayContinue')}</p>
  </div>
);
