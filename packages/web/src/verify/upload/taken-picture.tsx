import {
  type EvidenceFile,
  type EvidenceKind,
  PICTURE_WARNINGS,
  type PictureWarning,
} from '@countersign/domain/evidence';
import type { FC } from 'hono/jsx';
import { Notice } from '../../parts/blocks.tsx';
import { sizeInWords } from '../../site/formats.ts';
import type { MessageKey } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';

/** Uploads of a page. */
export interface Uploaded<File> {
  /** The file to show: the last upload, otherwise the one that the answers name. */
  readonly file: File;
  /** Whether it was uploaded before a reviewer asked for another. */
  readonly isFromBefore: boolean;
}

export interface TakenPictureProps {
  readonly page: Page;
  readonly evidence: EvidenceKind;
  readonly uploaded: Uploaded<EvidenceFile>;
  /** Address of the file; its thumbnail is below it. */
  readonly source: string;
  /** What the browser said about the picture before it was sent. */
  readonly seen: readonly PictureFlaw[];
  /** Address of the page. The decision is posted to it; with `?again` it asks for another file. */
  readonly action: string;
  /** Value of `?from=`, which a form with method GET would lose. */
  readonly from: string | undefined;
}

/** What makes a picture hard to read. Only browsers say that it is dark. */
export type PictureFlaw = 'dark' | PictureWarning;
const PICTURE_FLAWS: readonly PictureFlaw[] = ['dark', ...PICTURE_WARNINGS];

/** Returns the flaws among the names that a browser sends. */
export function pictureFlawsIn(names: string): readonly PictureFlaw[] {
  const named = names.split(',');
  return PICTURE_FLAWS.filter((flaw) => named.includes(flaw));
}

/** Returns the title of the page that shows the file. */
export function takenTitle({ contentType }: EvidenceFile): MessageKey {
  return contentType === 'application/pdf' ? 'capture:taken.titlePdf' : 'capture:taken.title';
}

/** Shows the last upload, with buttons to use it or to take another. */
export const TakenPicture: FC<TakenPictureProps> = (props) => {
  const { page, evidence, uploaded, source, seen, action, from } = props;
  const { t } = page;
  const { file, isFromBefore } = uploaded;
  const isPdf = file.contentType === 'application/pdf';
  const warnings = pictureWarningsOf(file);
  const flaws = PICTURE_FLAWS.filter(
    (flaw) => seen.includes(flaw) || warnings.some((warning) => warning === flaw),
  );
  // The subject may use a picture with a warning all the same.
  const advised = flaws.length > 0;
  const replace = advised || isFromBefore;
  const useText = isPdf ? 'capture:taken.usePdf' : advised ? 'capture:taken.useAnyway' : 'capture:taken.use';
  const use = (
    <form method="post" action={action} data-use-picture>
      <input type="hidden" name="fileId" value={file.id} />
      <button type="submit" class={replace ? 'secondary' : undefined}>
        {t(useText)}
      </button>
    </form>
  );
  const another = (
    <form method="get" action={action}>
      {from === undefined ? null : <input type="hidden" name="from" value={from} />}
      <button type="submit" name="again" value="" class={replace ? undefined : 'secondary'}>
        {t(isPdf ? 'capture:taken.againPdf' : 'capture:taken.again')}
      </button>
    </form>
  );
  return (
    <>
      {isFromBefore ? <p>{t('capture:taken.earlier')}</p> : null}
      {advised ? <Warnings page={page} flaws={flaws} isFromServer={warnings.length > 0} /> : null}
      {isPdf ? (
        <p>
          <a href={source} download>
            {t('capture:taken.download', { size: sizeInWords(file.size, page.language) })}
          </a>
        </p>
      ) : (
        <>
          <p>{t(evidence === 'selfie' ? 'capture:taken.hintSelfie' : 'capture:taken.hint')}</p>
          <img class="taken-picture" src={`${source}/thumbnail`} alt={t(`capture:kind.${evidence}.alt`)} />
          <p>
            <a href={source} target="_blank" rel="noopener">
              {t('capture:taken.whole')}
            </a>
          </p>
        </>
      )}
      <div class="next">{replace ? [another, use] : [use, another]}</div>
    </>
  );
};

const Warnings: FC<{ page: Page; flaws: readonly PictureFlaw[]; isFromServer: boolean }> = (props) => {
  const { page, flaws, isFromServer } = props;
  const { t } = page;
  return (
    // The camera continues by itself unless the server has a warning.
    <Notice
      tone="warn"
      title={t('capture:taken.warning')}
      role="alert"
      data-picture-warning={isFromServer ? '' : undefined}
    >
      <ul>
        {flaws.map((flaw) => (
          <li>{t(`capture:warning.${flaw}`)}</li>
        ))}
      </ul>
      <p>{t('capture:warning.mayContinue')}</p>
    </Notice>
  );
};

/** Returns what makes a picture hard to read. Other warnings are for reviewers. */
function pictureWarningsOf({ warnings }: EvidenceFile): readonly PictureWarning[] {
  return PICTURE_WARNINGS.filter((warning) => warnings.includes(warning));
}
